/**
 * Messages that try to phone home, run scripts or escape their frame, based on published classes of attacks. `PICTURE`
 * is an address that the user may allow, `OTHER` one that is never allowed, and `RUN` what a script does if it runs.
 */

export interface HostileMessage {
  readonly name: string
  readonly html: string
}

type Class = Readonly<Record<string, readonly string[]>>

const EMBEDS: Class = {
  images: [
    '<img src="PICTURE">',
    '<IMG SRC=PICTURE>',
    "<img src='PICTURE' loading=eager fetchpriority=high decoding=sync>",
    '<img src="&#104;ttp&#58;//HOST/picture">',
    '<img src=" \t\nPICTURE\n ">',
    '<img srcset="PICTURE 2x, OTHER 1x">',
    '<img srcset="OTHER 300w, PICTURE 1600w" sizes="100vw">',
    '<img/src="PICTURE"/alt=x>',
    '<img src="PICTURE" crossorigin="use-credentials" referrerpolicy="unsafe-url">',
    '<img src="data:image/svg+xml,%3Csvg xmlns=%22http://www.w3.org/2000/svg%22%3E%3Cimage href=%22OTHER%22/%3E%3C/svg%3E">',
    '<img src="OTHER" width="1" height="1"><img src="OTHER" style="display:none">',
    '<img src="x:x" lowsrc="OTHER" dynsrc="OTHER" longdesc="OTHER">',
    '<image src="PICTURE">',
    '<img src="http:/\\HOST/picture"><img src="ftp://HOST/other"><img src="ws://HOST/other">',
  ],
  'pictures of several sources': [
    '<picture><source srcset="OTHER"><img src="PICTURE"></picture>',
    '<picture><source srcset="OTHER" media="(min-width:1px)" type="image/webp"></picture>',
    '<picture><source src="OTHER"><source srcset="OTHER 1x, OTHER 2x"><img></picture>',
  ],
  'sound and film': [
    '<video src="OTHER" autoplay muted></video>',
    '<video poster="OTHER" controls></video>',
    '<video autoplay><source src="OTHER" type="video/mp4"><track default kind=captions src="OTHER"></video>',
    '<audio src="OTHER" autoplay preload=auto></audio>',
    '<audio><source src="OTHER"></audio>',
    '<bgsound src="OTHER">',
  ],
  'frames and objects': [
    '<iframe src="OTHER"></iframe>',
    '<iframe srcdoc="<img src=OTHER><script>RUN</script>"></iframe>',
    '<iframe src="javascript:RUN"></iframe>',
    '<iframe src="data:text/html,<script>RUN</script><img src=OTHER>"></iframe>',
    '<iframe srcdoc="&lt;meta http-equiv=refresh content=\'0;url=OTHER\'&gt;" sandbox="allow-scripts allow-top-navigation"></iframe>',
    '<html><frameset rows="*"><frame src="OTHER"></frameset></html>',
    '<frameset onload="RUN"><frame src="javascript:RUN"></frameset>',
    '<object data="OTHER" type="text/html"></object>',
    '<object data="data:text/html;base64,PHNjcmlwdD50b3AuX19yYW49MTwvc2NyaXB0Pg=="></object>',
    '<object classid="clsid:x" codebase="OTHER"><param name="src" value="OTHER"><param name="movie" value="OTHER"></object>',
    '<embed src="OTHER" type="image/svg+xml">',
    '<embed src="javascript:RUN">',
    '<applet code="OTHER" archive="OTHER" codebase="OTHER"></applet>',
    '<portal src="OTHER"></portal><fencedframe src="OTHER"></fencedframe>',
  ],
}

const HEADS: Class = {
  'links of the head': [
    '<link rel="stylesheet" href="OTHER">',
    '<head><link rel=preload as=image href="OTHER"><link rel=prefetch href="OTHER"></head>',
    '<link rel="dns-prefetch" href="//HOST"><link rel="preconnect" href="http://HOST">',
    '<head><link rel="icon" href="OTHER"><link rel="shortcut icon" href="OTHER"><link rel="apple-touch-icon" href="OTHER"></head>',
    '<link rel="manifest" href="OTHER"><link rel="modulepreload" href="OTHER"><link rel="prerender" href="OTHER">',
    '<link rel="import" href="OTHER"><link rel="pingback" href="OTHER"><link rel="search" href="OTHER">',
    '<link rel="alternate stylesheet" title=x href="OTHER"><link rel="next" href="OTHER">',
    '<link rel="preload" as="image" imagesrcset="OTHER 1x" imagesizes="1px">',
    '<link rel="expect" href="#x" blocking="render"><link rel="compression-dictionary" href="OTHER">',
  ],
  'what a page says of itself': [
    '<meta http-equiv="refresh" content="0;url=OTHER">',
    '<meta http-equiv=refresh content="0; url=javascript:RUN">',
    '<meta http-equiv="refresh" content="0;url=data:text/html,<script>RUN</script>">',
    '<head><meta http-equiv="Content-Security-Policy" content="img-src *; script-src * \'unsafe-inline\'; report-uri OTHER"></head><img src="data:x">',
    '<meta http-equiv="Content-Security-Policy-Report-Only" content="default-src \'none\'; report-uri OTHER">',
    '<meta name="referrer" content="unsafe-url"><a href="OTHER">x</a>',
    '<meta http-equiv="set-cookie" content="who=me"><meta http-equiv="x-dns-prefetch-control" content="on"><a href="OTHER">x</a>',
    '<base href="http://HOST/other/"><img src="a.png"><a href="b">x</a>',
    '<base target="_top"><a href="OTHER">x</a>',
    '<head profile="OTHER"><meta name=msapplication-TileImage content="OTHER"></head>',
    '<html manifest="OTHER"><p>x</p></html>',
    '<script type="speculationrules">{"prefetch":[{"source":"list","urls":["OTHER"]}]}</script>',
    '<script type="importmap">{"imports":{"a":"OTHER"}}</script><script type="module">import "OTHER"</script>',
    '<?xml-stylesheet href="OTHER"?><p>x</p>',
    '<!DOCTYPE html PUBLIC "x" "OTHER"><p>x</p>',
    '<!DOCTYPE x [<!ENTITY a SYSTEM "OTHER">]><p>&a;</p>',
  ],
}

const STYLES: Class = {
  'styles that import': [
    '<style>@import url(OTHER);</style>',
    '<style>@import "OTHER" layer(x) supports(display:grid) screen;</style>',
    "<style>@\\69mport 'OTHER';</style>",
    '<style>@charset "utf-8"; @import/**/url("OTHER")</style>',
    '<style><!-- @import url(OTHER); --></style>',
    '<style>@namespace url(OTHER); @font-face{font-family:a;src:url(OTHER)} p{font-family:a}</style><p>x',
    '<style>@font-face{font-family:a;src:local("x"),url("OTHER")format("woff2");unicode-range:U+41}</style><p style="font-family:a">A',
    '<style>@document url(OTHER){p{color:red}} @-moz-document url-prefix(http://HOST){p{color:red}}</style>',
    '<style>@property --a{syntax:"<url>";inherits:true;initial-value:url(OTHER)} p{background:var(--a)}</style><p>x',
    '<style>@layer a{p{cursor:url(OTHER),auto}} @container (width>1px){p{cursor:url(OTHER),auto}}</style><p>x',
    '<style>@counter-style a{system:cyclic;symbols:url(OTHER)} li{list-style:a}</style><ul><li>x</ul>',
    '<style>@page{background:url(OTHER)} @media print{p{background:url(PICTURE)}}</style>',
    '<style>@view-transition{navigation:auto} @starting-style{p{cursor:url(OTHER),auto}}</style>',
    '<style>@color-profile --a{src:url(OTHER)} @font-palette-values --a{font-family:OTHER}</style>',
  ],
  'styles that draw': [
    '<p style="background:url(PICTURE)">x',
    '<p style=\'background-image:url("PICTURE")\'>x',
    '<p style="background:URL( PICTURE )">x',
    '<div style="list-style-image:url(PICTURE);display:list-item">x</div>',
    '<p style="border:9px solid;border-image:url(PICTURE) 3">x',
    '<style>p::before{content:url(PICTURE)}</style><p>x',
    "<p style=\"background:image-set('PICTURE' 1x,'OTHER' 2x)\">x",
    '<p style="background:-webkit-image-set(url(PICTURE) 1x)">x',
    '<style>:root{--a:url(PICTURE)} p{background:var(--a)}</style><p>x',
    '<p style="background:-webkit-cross-fade(url(PICTURE),url(OTHER),50%)">x',
    '<p style="background:none,linear-gradient(red,blue),url(PICTURE)">x',
    '<style>@keyframes a{to{background:url(PICTURE)}} p{animation:a 1s infinite}</style><p>x',
    '<style>@supports (display:grid){p{background:url(PICTURE)}}</style><p>x',
  ],
  'styles that reach out elsewhere': [
    '<p style="cursor:url(OTHER),auto">x',
    '<p style="cursor:image-set(url(OTHER) 1x),auto">x',
    '<p style="mask:url(OTHER);-webkit-mask-image:url(OTHER);mask-border:url(OTHER) 3">x',
    '<p style="shape-outside:url(OTHER);float:left">x',
    '<p style="clip-path:url(OTHER#a);filter:url(OTHER#b);backdrop-filter:url(OTHER#c)">x',
    '<p style="-webkit-box-reflect:below 0 url(OTHER);-webkit-filter:url(OTHER)">x',
    '<p style="behavior:url(OTHER);-moz-binding:url(OTHER#x)">x',
    '<p style="offset-path:url(OTHER);fill:url(OTHER#a);stroke:url(OTHER);marker:url(OTHER#m)">x',
    '<p style="width:expression(RUN);background:url(javascript:RUN)">x',
    "<p style=\"background:src('PICTURE');background:image('PICTURE');background:element(#a)\">x",
    '<p style="background:paint(a);src:url(OTHER);src:url(OTHER)format(\'svg\')">x',
    '<p style="list-style:url(data:image/svg+xml,<svg/onload=RUN>)">x',
    '<p style="text-decoration:url(OTHER);quotes:url(OTHER);page:url(OTHER)">x',
    '<p style="accent-color:url(OTHER);content:url(PICTURE) / attr(a)">x',
  ],
  'addresses that are written to be missed': [
    '<p style="cursor:u\\72l(OTHER),auto">x',
    '<p style="cursor:\\75\\72\\6c(OTHER),auto">x',
    '<p style="cursor:u/**/rl(OTHER);cursor:url/**/(OTHER),auto">x',
    '<p style="cursor:url(/**/OTHER/**/),auto">x',
    '<p style="cursor:&#117;rl(&quot;OTHER&quot;),auto">x',
    '<p style="c\\75rsor:url(\\68ttp://HOST/other),auto">x',
    '<p style="cursor:url(&#10;OTHER&#9;),auto">x',
    '<p style="cursor:url(\'http:\\\n//HOST/other\'),auto">x',
    '<style>p{cursor:url(OTHER</style><p>x',
    '<style>p{cursor:url("OTHER</style><p>x',
    '<style>a{}/*</style><style>*/p{cursor:url(OTHER),auto}</style><p>x',
    '<style>p{x:\\}; cursor:url(OTHER),auto}</style><p>x',
    '<style>p{--a:{;cursor:url(OTHER),auto;}}</style><p>x',
    '<style type="text/css" media="all" title="x">p{cursor:url(OTHER),auto}</style><p>x',
    '<style>p{cursor:ur\0l(OTHER),auto}</style><p>x',
    '<style>&lt;/style&gt;<img src=PICTURE></style>',
  ],
  'selectors that tell what stands there': [
    '<style>input[value^="a"]{cursor:url(OTHER)} a[href*="token=a"]{cursor:url(OTHER)}</style><a href="http://HOST/other?token=abc">x</a>',
    '<style>a:visited{cursor:url(OTHER)} p:hover{cursor:url(OTHER)} p:has(a){cursor:url(OTHER)}</style><p><a href="#">x</a>',
    '<style>html:not(#\\61){cursor:url(OTHER)} body::-webkit-scrollbar{background:url(PICTURE)}</style>',
    '<style>::selection,::first-line,::marker,::backdrop{cursor:url(OTHER)} :root:target{cursor:url(OTHER)}</style>',
    '<style>p::highlight(a),p::part(b),::slotted(c),::view-transition{cursor:url(OTHER)}</style>',
  ],
}

const SCRIPTS: Class = {
  scripts: [
    '<script>RUN</script>',
    '<script src="OTHER"></script>',
    '<SCRIPT/x>RUN</SCRIPT>',
    '<scr<script>ipt>RUN</scr</script>ipt>',
    '<script type="module">RUN</script><script type="text/vbscript">RUN</script>',
    '<script>/*</script><script>*/RUN</script>',
    '<svg><script>RUN</script></svg>',
    '<svg><script href="OTHER"/><script xlink:href="OTHER"/></svg>',
    '+ADw-script+AD4-RUN+ADw-/script+AD4-',
    '<meta charset="utf-7">+ADw-img src+AD0-x onerror+AD0-RUN+AD4-',
    '<meta charset="iso-2022-jp"><img alt="\x1b$B" src="x" title="\x1b(B onerror=RUN ">',
    '\u00bcscript\u00beRUN\u00bc/script\u00be',
    '<\0script>RUN</\0script><img src=x o\0nerror=RUN>',
    '\ufeff<script>RUN</script>',
  ],
  events: [
    '<img src=x onerror=RUN>',
    '<body onload=RUN onpageshow=RUN onhashchange=RUN onfocus=RUN onresize=RUN>x',
    '<svg onload=RUN><animate onbegin=RUN attributeName=x dur=1s></svg>',
    '<p onmouseover=RUN onpointerenter=RUN onclick=RUN onfocus=RUN tabindex=0 autofocus>x',
    '<details open ontoggle=RUN><summary>x</summary>y</details>',
    '<marquee onstart=RUN>x</marquee>',
    '<video onloadstart=RUN onerror=RUN><source onerror=RUN src=x></video>',
    '<input onfocus=RUN autofocus><select onfocus=RUN autofocus></select><textarea onfocus=RUN autofocus></textarea>',
    '<style>@keyframes a{}</style><p style="animation:a 1ms" onanimationstart=RUN onanimationend=RUN>x',
    '<p style="transition:color 1ms" ontransitionend=RUN onscrollend=RUN oncontentvisibilityautostatechange=RUN>x',
    '<div popover onbeforetoggle=RUN id=a>x</div><button popovertarget=a>y</button>',
    '<a href="#" &#111;nclick=RUN onclick&#61;RUN>x</a><img src="`onerror=RUN`">',
    '<img src=x:x\nonerror\n=\nRUN><img """><script>RUN</script>">',
    '<object onerror=RUN data=x></object><iframe onload=RUN></iframe><link onload=RUN rel=stylesheet href="data:text/css,">',
  ],
  'links that run': [
    '<a href="javascript:RUN">x</a>',
    '<a href="java&#10;script:RUN">x</a><a href="java\tscript:RUN">y</a>',
    '<a href=" &#1; javascript:RUN">x</a><a href="JaVaScRiPt&colon;RUN">y</a>',
    '<a href="&#x6A;avascript:RUN">x</a><a href="javascript&#58RUN">y</a>',
    '<a href="data:text/html,<script>RUN</script>">x</a><a href="vbscript:RUN">y</a><a href="blob:null/x">z</a>',
    '<a href="view-source:OTHER">x</a><a href="feed:javascript:RUN">y</a><a href="filesystem:OTHER">z</a>',
    '<a href="OTHER" ping="OTHER" attributionsrc="OTHER" download target=_top>x</a>',
    '<map name=a><area shape=default href="javascript:RUN" ping="OTHER"></map><img usemap="#a" src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">',
    '<svg><a xlink:href="javascript:RUN"><text>x</text></a></svg><math href="javascript:RUN">y</math>',
    '<a href="OTHER" target="_parent" rel="opener">x</a><a href="linnet://app/index.html">y</a><a href="file:///etc/passwd">z</a>',
  ],
}

const TRICKS: Class = {
  forms: [
    '<form action="OTHER" method=post><input name=a value=b><button autofocus>x</button></form>',
    '<form id=f></form><button form=f formaction="javascript:RUN" formtarget=_top>x</button>',
    '<input type=image src="OTHER"><input type=submit formaction="OTHER">',
    '<isindex action="javascript:RUN" prompt=x type=image src="OTHER">',
    '<form><form action="OTHER"><input></form></form><select><option onclick=RUN>x</select>',
    '<p contenteditable oninput=RUN>x</p><textarea autofocus></textarea><keygen autofocus>',
    '<form action="OTHER"><input type="password" autocomplete="current-password" name="p"></form>',
  ],
  'old tables and bodies': [
    '<table background="PICTURE"><tr><td background="PICTURE">x</table>',
    '<table><thead background="PICTURE"><tr background="PICTURE"><th background="PICTURE">x</table>',
    '<body background="PICTURE" bgcolor=red text=blue>x',
    '<div background="PICTURE" style="background:PICTURE">x</div>',
    '<layer src="OTHER"></layer><ilayer src="OTHER"></ilayer><xml src="OTHER"></xml>',
  ],
  'drawings and formulas': [
    '<svg><image href="OTHER" xlink:href="OTHER" width=9 height=9></image></svg>',
    '<svg><use href="OTHER#a"></use><use xlink:href="data:image/svg+xml;base64,PHN2Zy8+#a"></use></svg>',
    '<svg><foreignObject><iframe src="OTHER"></iframe><img src="OTHER"></foreignObject></svg>',
    '<svg><feImage href="OTHER"/><filter id=a><feImage xlink:href="OTHER"/></filter></svg>',
    '<svg><style>@import "OTHER"; *{fill:url(OTHER)}</style><rect fill="url(OTHER#a)" filter="url(OTHER#b)"/></svg>',
    '<svg><set attributeName=href to="javascript:RUN"/><animate attributeName=href values="javascript:RUN"/></svg>',
    '<svg><textPath href="OTHER#a"/><mpath href="OTHER"/><cursor href="OTHER"/><font-face-uri href="OTHER"/></svg>',
    '<math><maction actiontype="statusline#OTHER" xlink:href="javascript:RUN">x</maction></math>',
    '<math><annotation-xml encoding="text/html"><img src="OTHER" onerror=RUN></annotation-xml></math>',
    '<svg><handler xml:id=a>RUN</handler><listener event=load handler="#a"/><metadata><script>RUN</script></metadata></svg>',
  ],
  'text that becomes something else when it is read again': [
    '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=PICTURE onerror=RUN&gt;">',
    '<noscript><p title="</noscript><img src=PICTURE onerror=RUN>">',
    '<svg></p><style><a id="</style><img src=PICTURE onerror=RUN>">',
    '<form><math><mtext></form><form><mglyph><svg><mtext><style><path id="</style><img onerror=RUN src=PICTURE>">',
    '<select><template><style><!--</style><a rel="--></style></template></select><img id=x src=PICTURE onerror=RUN>">',
    '<svg><title><style><img src="</style><img src=PICTURE onerror=RUN>"></title></svg>',
    '<math><mi><table><tr><td><mi><style></math><img src=PICTURE onerror=RUN></style>',
    '<textarea><img title="</textarea><img src=PICTURE onerror=RUN>"></textarea>',
    '<title><img title="</title><img src=PICTURE onerror=RUN>"></title>',
    '<xmp><img title="</xmp><img src=PICTURE onerror=RUN>"></xmp><listing>&lt;img src=PICTURE onerror=RUN&gt;</listing>',
    '<noembed><img title="</noembed><img src=PICTURE onerror=RUN>"></noembed><noframes><img title="</noframes><img src=PICTURE>"></noframes>',
    '<template><img src=PICTURE onerror=RUN><script>RUN</script></template><template shadowrootmode=open><img src=PICTURE></template>',
    '<iframe><img title="</iframe><img src=PICTURE onerror=RUN>"></iframe>',
    '<svg><![CDATA[><img src=PICTURE onerror=RUN>]]></svg>',
    '<!--><img src=PICTURE onerror=RUN>--><!--[if gte mso 9]><img src=PICTURE><![endif]-->',
    '<!--[if !mso]><!--><img src=x onerror=RUN><!--<![endif]--><!--- --!><script>RUN</script>',
    '<?php echo "<img src=PICTURE onerror=RUN>" ?><%img src=PICTURE onerror=RUN%>',
    '<plaintext><img src=PICTURE onerror=RUN>',
    '<b><a href="x"><table><tr><a><img src=x onerror=RUN></table></b>',
    '<p id="<!--"><style>--><img src=PICTURE onerror=RUN></style>',
  ],
  'names that pass for the window’s': [
    '<img name=body src=x><form name=documentElement><input name=attributes><input name=parentNode></form>',
    '<a id=location href="OTHER">x</a><a id=location name=href href="javascript:RUN">y</a>',
    '<p id="linnet-mail" class="linnet-image linnet-quote">x</p><p data-linnet-picture="0">y</p>',
    '<img id=getElementById><img name=querySelectorAll><form id=defaultView><input id=self></form>',
    '<div id=app class="toast" role=alert aria-live=assertive>Your session has ended</div>',
    '<html id=__ran class=dark style="display:none"><body id=app inert hidden>x',
  ],
  'what covers the window': [
    '<div style="position:fixed;inset:0;z-index:2147483647;background:red">Sign in</div>',
    '<div style="position:sticky;top:0;height:9000px">x</div><style>p{position:fixed!important}</style><p>y',
    '<dialog open style="inset:0">Sign in</dialog><div popover=manual>x</div>',
    '<style>html,body,#linnet-mail{position:fixed;top:-900px;transform:scale(99)}</style><p>x',
    '<div style="width:99999px;height:99999px;margin:-9999px;outline:9999px solid red">x</div>',
    '<style>@keyframes a{from{opacity:0}} *{animation:a 1ms infinite;transition:all 1s}</style><p>x',
    '<marquee behavior=alternate scrollamount=9999>x</marquee><blink>y</blink>',
    '<p style="anchor-name:--a;position-anchor:--a;view-transition-name:x;top:anchor(bottom)">x',
  ],
  'Office and others of its time': [
    '<v:rect xmlns:v="urn:schemas-microsoft-com:vml"><v:fill src="OTHER"/><v:imagedata src="OTHER"/></v:rect>',
    '<xml:namespace prefix=t><t:set attributeName=innerHTML to="<img src=OTHER onerror=RUN>">',
    '<o:OfficeDocumentSettings><o:AllowPNG/></o:OfficeDocumentSettings><?import namespace=t implementation="OTHER">',
    '<comment><img src="</comment><img src=x onerror=RUN>"></comment>',
    '<html xmlns="http://www.w3.org/1999/xhtml"><x:script xmlns:x="http://www.w3.org/1999/xhtml">RUN</x:script></html>',
  ],
}

/** The messages. Each has its own host, so that a request identifies it. @param domain parent of these hosts */
export const hostileCorpus = (domain: string): readonly HostileMessage[] =>
  [EMBEDS, HEADS, STYLES, SCRIPTS, TRICKS]
    .flatMap((classes) => Object.entries(classes))
    .flatMap(([name, messages]) => messages.map((html) => ({ name, html })))
    .map(({ name, html }, index) => {
      const host = `m${index}.${domain}`
      return {
        name: `${name} ${index}`,
        html: html
          .replaceAll('PICTURE', `http://${host}/picture`)
          .replaceAll('OTHER', `http://${host}/other`)
          .replaceAll('HOST', host)
          .replaceAll('RUN', 'top.__ran=1;parent.__ran=1'),
      }
    })
