import type { DeclaredValues } from './style-rules.ts'
import {
  evaluateNumber,
  evaluateNumbers,
  parseCssValue,
  substituteVariables,
  type LengthBase,
  type CssToken,
  type CssTokens,
} from './css-values.ts'

/** The part of an element that the style code reads, so it works with or without a browser's DOM. */
export interface StyledElement {
  readonly localName: string
  getAttribute(name: string): string | null
}

/** Returns undefined for a value that browsers skip, so the next one is tried. */
type Reader<T> = (pieces: CssTokens) => T | undefined

export class ElementStyle {
  readonly #declared: DeclaredValues
  readonly #element: StyledElement
  readonly #variables: ReadonlyMap<string, CssTokens>
  readonly measure: LengthBase

  constructor(declared: DeclaredValues, element: StyledElement, variables: ReadonlyMap<string, CssTokens>, em: number) {
    this.#declared = declared
    this.#element = element
    this.#variables = variables
    // Percentages need a layout. With 100 px as the base, -100% counts as out of reach and ordinary percentages stay
    // harmless.
    this.measure = { em, whole: 100 }
  }

  /** The first readable value of these properties, tried in order. */
  read<T>(properties: readonly string[], reader: Reader<T>): T | undefined {
    for (const property of properties) {
      for (const value of this.#declared.get(property) ?? []) {
        const pieces = substituteVariables(parseCssValue(value), this.#variables, (name) =>
          this.#element.getAttribute(name),
        )
        const read = pieces === null || pieces.length === 0 ? undefined : reader(pieces)
        if (read !== undefined) return read
      }
    }
    return undefined
  }

  word(...properties: string[]): string {
    return this.read(properties, ([piece]) => (piece?.kind === 'word' ? piece.name : undefined)) ?? ''
  }

  has(property: string, isOne: (piece: CssToken) => boolean): boolean {
    return this.read([property], (pieces) => pieces.some(isOne)) ?? false
  }

  number(...properties: string[]): number | undefined {
    return this.read(properties, ([piece]) =>
      piece?.kind === 'word' ? undefined : (evaluateNumber(piece, this.measure) ?? undefined),
    )
  }

  /** The length of one side of a box, from its physical or logical property or from a shorthand. */
  side(side: 'top' | 'right' | 'bottom' | 'left', all: 'margin' | 'padding' | 'inset'): number | undefined {
    const isVertical = side === 'top' || side === 'bottom'
    const [axis, end] = [isVertical ? 'block' : 'inline', side === 'top' || side === 'left' ? 'start' : 'end']
    const place = { top: 0, right: 1, bottom: 2, left: 3 }[side]
    const own = this.number(all === 'inset' ? side : `${all}-${side}`, `${all}-${axis}-${end}`)
    const ofAxis = this.read([`${all}-${axis}`], (pieces) =>
      evaluateNumbers(pieces, this.measure).at(end === 'start' ? 0 : -1),
    )
    const ofAll = this.read([all], (pieces) => {
      const at = pieces[place] ?? pieces[place === 3 ? 1 : place % 2] ?? pieces[0]
      return at === undefined ? undefined : (evaluateNumber(at, this.measure) ?? Number.NaN)
    })
    return own ?? ofAxis ?? ofAll
  }
}

export const matchesWord =
  (pattern: RegExp) =>
  (piece: CssToken): boolean =>
    piece.kind === 'word' && pattern.test(piece.name)
