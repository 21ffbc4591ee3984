import { describe, expect, it } from 'vitest'
import { growBoxes } from '../../../src/renderer/features/bodies/grow-boxes.ts'

describe('box with text', () => {
  it.each([
    ['min-height:400px', 'min-height:calc-size(fit-content, max(size, 400px))'],
    ['MIN-HEIGHT: 50vh!important', 'MIN-HEIGHT: calc-size(fit-content, max(size, 300px))!important'],
    ['min-height:0;height:50px', '--off:0;height:50px'],
    ['min-height:var(--a)', '--off:var(--a)'],
    ['min-block-size:auto', '--off:auto'],
    ['height:calc(100vh - 20px)', 'height:calc(600px - 20px)'],
    ['max-height:50dvh', 'max-height:300px'],
    ['-webkit-line-clamp:3;line-clamp:3;max-lines:2', '--off:3;--off:3;--off:2'],
    ['aspect-ratio:4/1;clip-path:inset(0 0 90% 0)', '--off:4/1;--off:inset(0 0 90% 0)'],
    ['contain:size;container-type:size', '--off:size;--off:size'],
    ['contain:strict', 'overflow:clip;--off:strict'],
    ['grid-template-rows:20px;grid-template-columns:1fr', '--off:20px;grid-template-columns:1fr'],
    ['overflow:hidden', 'min-width:min-content;text-wrap-mode:wrap!important;overflow:hidden'],
    ['p{overflow-x:cl\\69p}', 'p{min-width:min-content;text-wrap-mode:wrap!important;overflow-x:cl\\69p}'],
    ['overflow:auto', 'overflow:var(--linnet-scroll, auto)'],
    ['all:unset', '--off:unset'],
  ])('can grow to it: %s', (css, grown) => {
    expect(growBoxes(css)).toBe(grown)
  })

  it.each([
    ['max-height:0;overflow:hidden', 'min-height:0;max-height:0;min-width:min-content;text-wrap-mode:wrap!important;'],
    ['max-width:0;overflow:hidden', 'max-width:0;overflow:hidden'],
    ['p { height:1px }', 'p { min-height:0;height:1px }'],
    ['clip:rect(1px, 1px, 1px, 1px)', 'clip:rect(1px, 1px, 1px, 1px)'],
    ['clip-path:inset(50%)', 'clip-path:inset(50%)'],
    ['content-visibility:hidden', 'content-visibility:hidden'],
  ])('stays hidden: %s', (css, grown) => {
    expect(growBoxes(css)).toContain(grown)
  })

  it('is visible with a minimum height, whatever its height', () => {
    expect(growBoxes('height:0;min-height:2em')).toBe('--off:0;min-height:calc-size(fit-content, max(size, 2em))')
  })

  it('keeps other declarations', () => {
    for (const css of [
      'a:hover { color: red; height: 40px; width: 50% } @media (max-width: 600px) { .a { max-height: none } }',
      '<!-- p { position: relative; top: 0 } --> .height { min-width: 300px; line-height: 0 }',
    ]) {
      expect(growBoxes(css)).toBe(css)
    }
  })
})
