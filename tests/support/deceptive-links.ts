/** Address that the links below lead to, and one whose text only starts with another site's name. */
const OTHER = 'https://evil.example/1'
const LONGER = 'https://bank.example.evil.example/2'

/** Ways to hide the end of `bank.example.evil.example` from readers. */
const TAILS: Readonly<Record<string, string>> = {
  white: 'color:#fff',
  'nearly white': 'color:#fdfdfd',
  transparent: 'color:transparent',
  'without opacity': 'opacity:.05',
  'without fill': '-webkit-text-fill-color:transparent',
  tiny: 'font-size:1px',
  small: 'font-size:3px',
  invisible: 'visibility:hidden',
  'not displayed': 'display:none',
  'in no room': 'display:inline-block;width:0;height:0;overflow:hidden',
  'scaled to nothing': 'display:inline-block;transform:scaleX(0)',
  'scaled down': 'display:inline-block;transform:scale(.05)',
  flattened: 'display:inline-block;transform:scaleY(.02)',
  'seen from the edge': 'display:inline-block;transform:rotateY(89deg)',
  'outside the mail': 'position:absolute;left:-9999px',
  indented: 'display:inline-block;text-indent:-9999px;width:10px;overflow:hidden',
  zoomed: 'zoom:.05',
  'on a white picture': 'color:#fff;background-image:linear-gradient(#fff,#fff)',
}

/** Ways to show `bank.example` on a link to another site. */
const WHOLE: Readonly<Record<string, string>> = {
  'letters that run backwards':
    '<a href=OTHER style="font-family:monospace;letter-spacing:-2ch;padding-left:200px">elpmaxe.knab</a>',
  floats:
    '<a href=OTHER style="display:inline-block"><span style="float:right">.example</span><span style="float:left">bank</span></a>',
  'an order':
    '<a href=OTHER style="display:inline-flex"><b style="order:2">.example</b><b style="order:1">bank</b></a>',
  'relative places':
    '<a href=OTHER style="font-family:monospace"><span style="position:relative;left:4ch">.example</span><span style="position:relative;right:8ch">bank</span></a>',
  'moved boxes':
    '<a href=OTHER style="font-family:monospace"><span style="display:inline-block;transform:translateX(4ch)">.example</span><span style="display:inline-block;transform:translateX(-8ch)">bank</span></a>',
  'a grid':
    '<a href=OTHER style="display:inline-grid"><span style="grid-area:1/2">.example</span><span style="grid-area:1/1">bank</span></a>',
  'boxes from right to left':
    '<a href=OTHER dir=rtl><span style="display:inline-block">.example</span><span style="display:inline-block">bank</span></a>',
  'an invisible mark': '<a href=OTHER dir=rtl>com&rlm;.paypal</a>',
  'a dot at the other end': '<a href=OTHER><span style="display:inline-block;direction:rtl">.bank</span>example</a>',
  'single letters':
    '<a href=OTHER style="display:inline-flex;flex-direction:row-reverse"><b>e</b><b>l</b><b>p</b><b>m</b><b>a</b><b>x</b><b>e</b><b>.</b><b>k</b><b>n</b><b>a</b><b>b</b></a>',
  'cells of a table':
    '<table cellspacing=0 cellpadding=0><tr><td>ba<td>nk<td>.<td><a href=OTHER>exa</a><td>mple</table>',
  'another link': '<a href=OTHER>bank</a><a href=OTHER>.example</a>',
  'a float beside a text': '<a href=OTHER style="float:left">bank</a><p style="margin:0">.example is yours</p>',
  'a float beside a long text':
    '<div style="width:200px"><a href=OTHER style="float:left">bank</a><p style="margin:0">.example is a name that needs several lines of text</p></div>',
  'content of another element':
    '<style>.far{position:relative;height:20px}.far::after{content:"bank";position:absolute;left:0;top:0;font-family:monospace}</style><div class=far><a href=OTHER style="font-family:monospace;position:absolute;left:4ch;top:0">.example</a></div>',
  'a list marker':
    '<ul style="padding:0"><li style="list-style-type:\'bank\';list-style-position:inside"><a href=OTHER>.example</a></ul>',
  'a hyphen':
    '<a href=OTHER style="hyphenate-character:\'.example\';display:block;width:50px;overflow-wrap:normal">bank&shy;ingservicesforall</a>',
  'inline boxes': '<b style="display:inline-block">bank. </b><a href=OTHER>example</a>',
  'a small gap': '<b style="margin-right:2px">bank.</b><a href=OTHER>example</a>',
  'a filler': '<a href=OTHER><span>bank</span><span style="margin-left:-1em">&#12644;.example</span></a>',
  'a first letter':
    '<style>.first::first-letter{color:#fff}</style><p class=first><a href="https://abank.example/">abank.example</a></p>',
  'a first line':
    '<style>.line::first-line{color:transparent}</style><p class=line><a href=OTHER>evil.example<br>bank.example</a></p>',
  'a cover':
    '<div style="position:relative;font-family:monospace"><a href=LONGER>bank.example.evil.example</a><b style="position:absolute;left:12ch;top:0;width:13ch;height:100%;background:#fff"></b></div>',
  'a cover of its own':
    '<a href=LONGER style="position:relative;font-family:monospace">bank.example.evil.example<i style="position:absolute;left:12ch;top:0;width:13ch;height:100%;background:#fff"></i></a>',
  'a cover by a style sheet':
    '<style>.own{position:relative;font-family:monospace}.own::after{content:"";position:absolute;left:12ch;top:0;width:13ch;height:100%;background:#fff}</style><a class=own href=LONGER>bank.example.evil.example</a>',
}

/** Links that look like `bank.example` (or `paypal.com`) and lead elsewhere, by the way they do it. */
export const DECEPTIVE_LINKS: readonly (readonly [way: string, html: string])[] = [
  ...Object.entries(TAILS).map(
    ([way, style]) =>
      [`a tail ${way}`, `<a href=LONGER>bank.example<span style="${style}">.evil.example</span></a>`] as const,
  ),
  ...Object.entries(WHOLE),
].map(([way, html]) => [way, html.replaceAll('=OTHER', `="${OTHER}"`).replaceAll('=LONGER', `="${LONGER}"`)])
