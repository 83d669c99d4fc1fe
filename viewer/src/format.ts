// Numbers as people read them.

/** Four significant digits, powers of ten where they are needed. */
export function number(x: number | null | undefined, digits = 4): string {
  if (x === null || x === undefined || Number.isNaN(x)) return "–";
  if (x === 0) return "0";
  if (!Number.isFinite(x)) return x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  if (size >= 1e-3 && size < 1e6) return trim(x.toPrecision(digits)).replace("-", "−");
  const [mantissa, exponent] = x.toExponential(digits - 2).split("e") as [string, string];
  return `${trim(mantissa)}e${Number(exponent)}`.replaceAll("-", "−");
}

function trim(text: string): string {
  if (text.includes("e")) return String(Number(text));
  return text.includes(".") ? text.replace(/0+$/, "").replace(/\.$/, "") : text;
}

/** A time that does not jump about in width while it runs. */
export function clock(seconds: number, duration: number): string {
  const digits = duration < 2 ? 4 : duration < 100 ? 3 : duration < 1e4 ? 1 : 0;
  return `${seconds.toFixed(digits)} s`;
}

/** Speeds as fractions and multiples. */
export function speed(value: number | null): string {
  if (value === null) return "as fast as possible";
  return value >= 1 ? `${value} ×` : `1/${Math.round(1 / value)} ×`;
}
