/** HTML that a stranger can send in one e-mail, and that has frozen mail windows. */
export interface HeavyMail {
  readonly name: string
  readonly html?: string
  readonly text?: string
}

const nestedUses = (): string => {
  const levels = Array.from(
    { length: 9 },
    (_, level) => `<g id='l${level + 1}'>${`<use href='#l${level}'/>`.repeat(10)}</g>`,
  )
  return `<svg xmlns='http://www.w3.org/2000/svg'><defs><g id='l0'><rect width='1' height='1'/></g>${levels.join('')}</defs><use href='#l9'/></svg>`
}

const COSTLY_STYLES = [
  `div{${'& &{top:0;'.repeat(24)}${'}'.repeat(25)}`,
  ':not(:not(:not(a *) *) *) *{top:0}',
  `p::before{content:"${'x '.repeat(50_000)}"}`,
  'p{position:absolute;anchor-name:--a;left:anchor(--a right,1px);position-try-fallbacks:flip-block,flip-inline}',
].join(' ')

export const heavyMail: readonly HeavyMail[] = [
  { name: 'Ten megabytes', html: '<p>All work and no play makes a long letter.</p>\n'.repeat(210_000) },
  { name: 'Four million signs', html: '<p class="a">信件很長，沒有人讀完。</p>\n'.repeat(140_000) },
  { name: 'A book of text', text: 'All "work" and no play makes a long letter.\n'.repeat(230_000) },
  { name: 'Nested elements', html: `${'<div>\n'.repeat(50_000)}deep` },
  { name: 'Many links', html: '<a href="https://a.example/x">there</a>\n'.repeat(30_000) },
  { name: 'Many quotes', html: `<p>My answer.</p>${'<blockquote type="cite">said\n'.repeat(20_000)}` },
  { name: 'Unclosed addresses', html: `<style>p { background: ${'url(\n'.repeat(100_000)}</style><p>Styled` },
  { name: 'Many images', html: '<img src="https://tracker.example/x.png" alt="x">\n'.repeat(50_000) },
  { name: 'A long attribute', html: `<p title="${'x '.repeat(500_000)}">Titled</p>` },
  {
    name: 'A drawing of drawings',
    html: `<p>Drawn</p><img alt="A drawing" width="100" height="100" src="data:image/svg+xml;base64,${Buffer.from(nestedUses()).toString('base64')}">`,
  },
  { name: 'Comments', html: `${'<!-- x -->\n'.repeat(40_000)}<p>Commented` },
  { name: 'Siblings', html: `<style>${'p ~ '.repeat(60_000)}p { color: red }</style>${'<p>sibling</p>\n'.repeat(20)}` },
  { name: 'Blank lines', text: `above${'\n'.repeat(50_000)}below` },
  { name: 'Dots', text: 'a.'.repeat(50_000) },
  {
    name: 'Columns in columns',
    html: `<style>${COSTLY_STYLES}</style>${'<p>x</p>'.repeat(1500)}${'<div style="columns:2">x'.repeat(60)}`,
  },
  { name: 'Keys and smiles', html: `<p>${'1\ufe0f\u20e3 \u{1f44d}\u{1f3fd} '.repeat(20_000)}</p>` },
  // Few enough letters to be formatted.
  { name: 'A word of joined letters', html: `<p>${'م'.repeat(29_000)}</p>` },
  { name: 'Joined letters', html: `<p>${'م'.repeat(60_000)}</p>` },
  { name: 'Many lines', text: 'a line\n'.repeat(20_000) },
  { name: 'Links on a line', text: 'https://a.example/x '.repeat(20_000) },
]
