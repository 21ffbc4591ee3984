const LINE_FEED = Uint8Array.of(0x0a)

/** Collects a part's lines without transfer encoding. postal-mime reads them from a `Blob`, which is far slower. */
export class LineCollector {
  readonly #chunks: Uint8Array[] = []
  #size = 0

  /** @param line without its line end; must not change until `finalize` */
  update(line: Uint8Array): void {
    this.#chunks.push(line, LINE_FEED)
    this.#size += line.length + LINE_FEED.length
  }

  finalize(): ArrayBuffer {
    const content = new Uint8Array(this.#size)
    let at = 0
    for (const piece of this.#chunks) {
      content.set(piece, at)
      at += piece.length
    }
    return content.buffer
  }
}
