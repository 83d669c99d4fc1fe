// Pictures and films of the scene, saved as files.

import type { Stage } from "./stage";

/** Of a film, at most. */
const FRAMES_PER_SECOND = 30;
/** A film of what stands still gets a frame this often, ms. */
const STILL = 250;
/** The quickest first: a processor that also simulates and draws would drop frames for the better compression of VP9. */
const KINDS = ["video/webm;codecs=vp8", "video/webm;codecs=vp9", "video/webm"];

export class Pictures {
  private recorder: MediaRecorder | null = null;
  private readonly baseName: string;

  constructor(
    private readonly stage: Stage,
    name: string,
    private readonly time: () => number,
    private readonly notice: (message: string) => void,
  ) {
    this.baseName = name.replace(/\.[a-z]+$/i, "").replace(/[^\w-]+/g, "-") || "msd";
  }

  /** Draws the picture with its background, as the page shows it without panels. */
  private paint(picture: HTMLCanvasElement): void {
    const view = this.stage.renderer.domElement;
    if (picture.width !== view.width || picture.height !== view.height) [picture.width, picture.height] = [view.width, view.height];
    const g = picture.getContext("2d")!;
    const [top, bottom] = this.stage.inSpace ? ["#05070b", "#05070b"] : this.stage.theme.sky;
    const sky = g.createLinearGradient(0, 0, 0, picture.height);
    sky.addColorStop(0, top);
    sky.addColorStop(0.78, bottom);
    g.fillStyle = sky;
    g.fillRect(0, 0, picture.width, picture.height);
    g.drawImage(view, 0, 0);
  }

  private picture(): HTMLCanvasElement {
    this.stage.render();
    const picture = document.createElement("canvas");
    this.paint(picture);
    return picture;
  }

  screenshot(): void {
    this.picture().toBlob((blob) => blob && save(blob, `${this.baseName}-${this.time().toFixed(3)}s.png`), "image/png");
  }

  /** Begins a film, or ends and saves the one that is being made. */
  film(): void {
    const button = document.getElementById("film")!;
    if (this.recorder) {
      this.recorder.stop();
      return;
    }
    const kind = KINDS.find((type) => MediaRecorder.isTypeSupported(type));
    if (!kind) {
      this.notice("This browser cannot record WebM.");
      return;
    }
    const picture = this.picture();
    const stream = picture.captureStream(FRAMES_PER_SECOND);
    let running = true;
    let painted = -Infinity;
    let shown = -1;
    const repaint = (now: number) => {
      if (!running) return;
      if (this.stage.pictures !== shown || now - painted > STILL) {
        this.paint(picture);
        [painted, shown] = [now, this.stage.pictures];
      }
      requestAnimationFrame(repaint);
    };
    requestAnimationFrame(repaint);
    const chunks: Blob[] = [];
    const recorder = new MediaRecorder(stream, { mimeType: kind, videoBitsPerSecond: 12e6 });
    recorder.ondataavailable = (event) => chunks.push(event.data);
    recorder.onstop = () => {
      running = false;
      save(new Blob(chunks, { type: "video/webm" }), `${this.baseName}.webm`);
      this.recorder = null;
      button.setAttribute("aria-pressed", "false");
    };
    this.recorder = recorder;
    button.setAttribute("aria-pressed", "true");
    recorder.start(500);
  }
}

function save(blob: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
