const LINE_FEED = Uint8Array.of(0x0a)

/**
 * The content of a part that no transfer encoding hides: its lines, joined once they are all there. postal-mime makes a `Blob` of
 * them and reads that back, which takes several times as long as everything else that it does with a part of many lines.
 */
export class LineCollector {
  readonly #pieces: Uint8Array[] = []
  #size = 0

  /** @param line without its end; its bytes stay as they are until `finalize` */
  update(line: Uint8Array): void {
    this.#pieces.push(line, LINE_FEED)
    this.#size += line.length + LINE_FEED.length
  }

  finalize(): ArrayBuffer {
    const content = new Uint8Array(this.#size)
    let at = 0
    for (const piece of this.#pieces) {
      content.set(piece, at)
      at += piece.length
    }
    return content.buffer
  }
}
