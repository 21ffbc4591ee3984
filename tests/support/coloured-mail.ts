/** Mail that sets its own colours, in the ways mail programs and newsletters do. */
export interface ColouredMail {
  readonly subject: string
  readonly html: string
}

/** A logo with dark letters on a transparent background. */
const LOGO =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAACgAAAAUCAYAAAD/Rn+7AAAALklEQVR42mNgGAWjYJAAERGJ/zA8GOVHHTjqwFEHjjpw1IGjDhzuDhwFo2CAAADEj+BNaCmHtQAAAABJRU5ErkJggg=='

export const COLOURED_MAIL: readonly ColouredMail[] = [
  {
    subject: 'A newsletter with bands',
    html: `<html><head><style>body{background:#eef1f4;color:#333333;font-family:Arial} h1{color:#102a43} .lead{color:#52606d} a{color:#0b69a3} @media (max-width:500px){.band{padding:12px!important}}</style></head>
      <body><table width="100%" bgcolor="#eef1f4"><tr><td align="center"><table width="600" bgcolor="#ffffff" cellpadding="20">
      <tr><td class="band" style="background-color:#b3263e;color:#ffffff"><font size="5">Pier &amp; Harbour</font></td></tr>
      <tr><td><h1>Spring on the water</h1><p class="lead">Three walks along the quay.</p><p>The <a href="https://a.example/">timetable</a> has changed. <span style="color:#999">Small print that is grey.</span></p>
      <a href="https://b.example/" style="background-color:#1a73e8;border:12px solid #1a73e8;color:#fff;text-decoration:none;display:inline-block">Reserve a seat</a></td></tr>
      <tr><td style="background:#fff3cd;color:#664d03;border-left:4px solid #ffc107">The café is closed on Monday.</td></tr>
      <tr><td style="background:linear-gradient(90deg,#e0f2fe,#fae8ff)"><b style="color:#6b21a8">Members sail free</b></td></tr>
      <tr><td bgcolor="f8f9fa" style="color:rgba(0,0,0,.54);font-size:12px">You receive this because you asked for it. <a href="https://c.example/" style="color:#666">Unsubscribe</a></td></tr></table></td></tr></table></body></html>`,
  },
  {
    subject: 'A receipt',
    html: `<body bgcolor="#f4f4f4"><div style="background:#f4f4f4;padding:24px"><table width="480" align="center" cellspacing="0" cellpadding="10" style="background:#fff;border:1px solid #ddd">
      <tr><td colspan="2" style="border-bottom:2px solid #000"><b>Receipt 4711</b></td></tr>
      <tr><td style="color:#555">Rope, 20 m</td><td align="right">€ 48.00</td></tr><tr style="background:#fafafa"><td style="color:#555">Two shackles</td><td align="right">€ 12.50</td></tr>
      <tr><td><b>Total</b></td><td align="right" style="color:#0a7d33"><b>€ 60.50</b></td></tr><tr><td colspan="2"><font color="#cc0000">Paid by card.</font></td></tr></table></div></body>`,
  },
  {
    subject: 'A logo without a ground',
    html: `<table width="100%" bgcolor="#ffffff"><tr><td style="padding:20px"><img class="logo" src="${LOGO}" width="160" height="80" alt="Logo"><img class="photo" src="data:image/gif;base64,R0lGODlhAQABAIAAAAAAAAAAACwAAAAAAQABAAACAkQBADs=" width="40" height="40" alt="A dark picture"><p style="color:#222">The letters of this logo are black.</p></td></tr></table>`,
  },
  {
    subject: 'Letters in a gradient',
    html: `<div style="background:#ffffff;padding:20px"><h1 style="background:linear-gradient(90deg,#4f46e5,#db2777);-webkit-background-clip:text;background-clip:text;-webkit-text-fill-color:transparent;color:transparent">Big news for the harbour</h1><p style="color:#111827">And a line below it.</p></div>`,
  },
  {
    subject: 'Dark already',
    html: `<body style="background:#0d1117;color:#c9d1d9"><table width="100%" bgcolor="#0d1117"><tr><td style="padding:20px;border:1px solid #30363d"><h2 style="color:#f0f6fc">Build passed</h2><p style="color:#8b949e">All of 318 checks.</p><a href="https://a.example/" style="color:#58a6ff">See the run</a></td></tr></table></body>`,
  },
  {
    subject: 'With dark styles of its own',
    html: `<html><head><meta name="color-scheme" content="light dark"><style>:root{color-scheme:light dark} .page{background:#ffffff;color:#222222} .card{background:#f1f5f9} @media (prefers-color-scheme: dark){ .page{background:#101418!important;color:#e6edf3!important} .card{background:#1b2430!important} .day{display:none!important} .night{display:block!important} }</style></head>
      <body><div class="page" style="padding:20px"><p class="day">Drawn for the day.</p><p class="night" style="display:none">Drawn for the night.</p><div class="card" style="padding:12px;color:#334155">A card.</div></div></body></html>`,
  },
  {
    subject: 'From a mail program',
    html: `<html><head><style><!-- p.MsoNormal{margin:0;font-size:11.0pt;font-family:"Calibri",sans-serif} a:link{color:#0563C1} span.S{color:windowtext} --></style></head><body lang="EN" link="#0563C1">
      <p class="MsoNormal"><span class="S">Good morning,</span></p><p class="MsoNormal"><span style="color:#1F497D">the rope has come. See <a href="https://a.example/">the list</a>.</span></p><p class="MsoNormal"><span style="background:yellow;mso-highlight:yellow">Please sign by Friday.</span></p><p class="MsoNormal"><mark>Bring a pen.</mark></p></body></html>`,
  },
  {
    subject: 'By properties of its own',
    html: `<html><head><style>:root{--ink:#1d1d1f;--card:#f5f5f7;--paper:#fff} .all{color:var(--ink);background:var(--paper)} .c{background:var(--card,#eee);border:1px solid hsl(210 10% 80%)} .d{color:oklch(40% .2 250);background:color-mix(in srgb, white 80%, lightblue)} .e{color:rgb(0 0 0 / 60%)!important} .f{background:#fff url(data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7)}</style></head>
      <body class="all"><div class="c" style="padding:12px">A card.</div><p class="d">In newer words.</p><p class="e">Faint.</p><p class="f" style="padding:12px">Over a picture.</p></body></html>`,
  },
]
