import { describe, expect, it } from 'vitest'
import { filterSnapshotStyles } from '../../../src/host/snapshot-styles.ts'

const STILL = '<div class="row svelte-aa1">a<p class="svelte-bb2">b</p></div>'

describe('the style sheet of a startup snapshot', () => {
  it.each([
    ['rules of all', ':root{--a:1px}a:hover{top:0}'],
    ['rules of components that are in it', '.row.svelte-aa1{top:0}p.svelte-bb2>a.svelte-bb2:where(.svelte-bb2){top:0}'],
    ['rules of several components, one of which is in it', '.svelte-aa1,.svelte-cc3{top:0}'],
    [
      'steps of an animation',
      '@keyframes svelte-aa1-appear{0%{opacity:0}to{opacity:1}}@keyframes turn{to{rotate:1turn}}',
    ],
    ['statements without a block', '@layer a;@charset "utf-8";.svelte-aa1{top:0}'],
    ['nothing', ''],
    ['a rule that never ends', '.svelte-aa1{top:0'],
  ])('keeps %s', (_what, sheet) => {
    expect(filterSnapshotStyles(sheet, STILL)).toBe(sheet)
  })

  it.each([
    ['rules of other components', 'a{top:0}.row.svelte-cc3{top:0}p.svelte-aa1{top:0}', 'a{top:0}p.svelte-aa1{top:0}'],
    ['rules whose scope only begins like one of it', '.svelte-aa12{top:0}.svelte-aa{top:0}', ''],
    ['their animations', '@keyframes svelte-cc3-appear{0%{opacity:0}to{opacity:1}}a{top:0}', 'a{top:0}'],
    [
      'such rules in groups, and groups of such rules',
      '@media (width<9px){.svelte-cc3{top:0}a{top:0}}@container rows (width<9px){@media print{.svelte-cc3{top:0}}}b{top:0}',
      '@media (width<9px){a{top:0}}b{top:0}',
    ],
  ])('omits %s', (_what, sheet, left) => {
    expect(filterSnapshotStyles(sheet, STILL)).toBe(left)
  })
})
