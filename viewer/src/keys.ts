// Keys of the page, and the sheet that lists them.

export interface Key {
  /** As the browser names it. */
  name: string;
  /** On the sheet. */
  shown: string;
  text: string;
  act: () => void;
}

/** Lists keys on a sheet and listens to them, unless a control has the focus that uses them itself. */
export function bindKeys(keys: Key[], sheet: HTMLElement, help: HTMLDialogElement): void {
  sheet.append(
    ...keys.map(({ shown, text }) => {
      const row = document.createElement("div");
      const kbd = document.createElement("kbd");
      kbd.textContent = shown;
      row.append(text, kbd);
      return row;
    }),
  );
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || help.open) return;
    const target = event.target as HTMLElement;
    const inControl = target instanceof HTMLSelectElement || target instanceof HTMLInputElement;
    if (inControl && (event.key.startsWith("Arrow") || event.key === " " || event.key === "Home" || event.key === "End" || target instanceof HTMLSelectElement)) return;
    if (target instanceof HTMLButtonElement && event.key === " ") return;
    const pressed = event.key === "=" ? "+" : event.key.length === 1 ? event.key.toLowerCase() : event.key;
    const key = keys.find(({ name }) => name === pressed);
    if (!key) return;
    event.preventDefault();
    key.act();
  });
}
