/** Bodies as real mail programs write them, with what stays visible after folding. */

export interface ReplyBody {
  /** The mail program and the action. */
  readonly name: string
  readonly body: string
  /** The visible text; `|` separates lines. */
  readonly seen: string
  /** The kinds of the toggles, in order, if any. */
  readonly folded?: readonly ('history' | 'signature')[]
  readonly isForward?: true
}

const GMAIL_ATTR =
  '<div dir="ltr" class="gmail_attr">On Fri, May 1, 2026 at 10:12 AM Ada Quill &lt;<a href="mailto:ada@quill.example">ada@quill.example</a>&gt; wrote:<br></div>'
const gmail = (answer: string, quoted: string): string =>
  `<div dir="ltr">${answer}</div><br><div class="gmail_quote gmail_quote_container">${GMAIL_ATTR}${quoted}</div>`
const gmailQuote = (words: string): string =>
  `<blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex">${words}</blockquote>`
const outlook = (answer: string, header: string, old = '<p class="MsoNormal">Is it on?</p>'): string =>
  `<div class="WordSection1"><p class="MsoNormal">${answer}<o:p></o:p></p><p class="MsoNormal"><o:p>&nbsp;</o:p></p><div><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0in 0in 0in"><p class="MsoNormal">${header}</p></div></div><p class="MsoNormal">&nbsp;</p>${old}</div>`
const OUTLOOK_HEADER =
  '<b>From:</b> Ada Quill &lt;ada@quill.example&gt; <br><b>Sent:</b> Friday, May 1, 2026 10:12 AM<br><b>To:</b> Juno &lt;juno@tide.example&gt;<br><b>Subject:</b> The webcam'
const cite = (words: string): string => `<blockquote type="cite">${words}</blockquote>`

/** An attribution line in a language, above the quoted text. */
const introduced = (language: string, words: string): ReplyBody => ({
  name: `An introduction in ${language}`,
  body: `<div>Yes, at noon.</div><div><br></div><div>${words}</div>${cite('<div>Is it on?</div>')}`,
  seen: 'Yes, at noon.',
  folded: ['history'],
})
const headed = (language: string, header: string): ReplyBody => ({
  name: `Outlook’s header in ${language}`,
  body: outlook('Yes, at noon.', header),
  seen: 'Yes, at noon.',
  folded: ['history'],
})
const WHO = 'Ada Quill &lt;ada@quill.example&gt;'

export const HTML_BODIES: readonly ReplyBody[] = [
  { name: 'Gmail, answered above', body: gmail('Yes.', gmailQuote('Is it on?')), seen: 'Yes.', folded: ['history'] },
  {
    name: 'Gmail, answered between',
    body: gmail('', `${gmailQuote('Is it on?')}<div>It is.</div>${gmailQuote('Since when?')}<div>Since six.</div>`),
    seen: 'On Fri, May 1, 2026 at 10:12 AM Ada Quill <ada@quill.example> wrote:|Is it on?|It is.|Since when?|Since six.',
  },
  {
    name: 'Gmail, answered between, with a rest that was not',
    body: gmail('', `${gmailQuote('Is it on?')}<div>It is.</div>${gmailQuote('Thanks, Ada')}`),
    seen: 'On Fri, May 1, 2026 at 10:12 AM Ada Quill <ada@quill.example> wrote:|Is it on?|It is.',
    folded: ['history'],
  },
  {
    name: 'Gmail, answered below',
    body: `<div dir="ltr"><div class="gmail_quote">${GMAIL_ATTR}${gmailQuote('Is it on?')}<div>It is.</div></div></div>`,
    seen: 'On Fri, May 1, 2026 at 10:12 AM Ada Quill <ada@quill.example> wrote:|Is it on?|It is.',
  },
  {
    name: 'Gmail, with a signature above the quote',
    body: gmail(
      'Yes.<br clear="all"><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature">Juno<br>Tide Ltd</div>',
      gmailQuote('Is it on?'),
    ),
    seen: 'Yes.',
    folded: ['signature', 'history'],
  },
  {
    name: 'Gmail, a quote without anything said',
    body: gmail('', gmailQuote('Is it on?')),
    seen: 'On Fri, May 1, 2026 at 10:12 AM Ada Quill <ada@quill.example> wrote:|Is it on?',
  },
  {
    name: 'Gmail, only a signature and a quote',
    body: gmail('<div class="gmail_signature">Juno</div>', gmailQuote('Is it on?')),
    seen: 'Juno|On Fri, May 1, 2026 at 10:12 AM Ada Quill <ada@quill.example> wrote:|Is it on?',
  },
  {
    name: 'Gmail, forwarded',
    body: '<div dir="ltr">See below.</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">---------- Forwarded message ---------<br>From: <b>Ada</b><br>Date: Fri, May 1<br>Subject: The webcam<br>To: Juno<br></div><br>It is black.</div>',
    seen: 'See below.|---------- Forwarded message ---------|From: Ada|Date: Fri, May 1|Subject: The webcam|To: Juno|It is black.',
  },
  {
    name: 'Gmail, a forwarded thread',
    body: `<div class="gmail_quote"><div class="gmail_attr">---------- Forwarded message ---------<br>From: Ada</div>It is black.<div class="gmail_quote">${GMAIL_ATTR}${gmailQuote('Is it?')}</div></div>`,
    seen: '---------- Forwarded message ---------|From: Ada|It is black.|On Fri, May 1, 2026 at 10:12 AM Ada Quill <ada@quill.example> wrote:|Is it?',
  },
  {
    name: 'Gmail of ten years ago',
    body: `<div dir="ltr">Yes.</div><div class="gmail_extra"><br><div class="gmail_quote">2016-05-01 10:12 GMT+02:00 Ada Quill <span dir="ltr">&lt;ada@quill.example&gt;</span>:<br>${gmailQuote('Is it on?')}</div><br></div>`,
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Gmail, a sign for an answer',
    body: gmail('\u{1f44d}', gmailQuote('Is it on?')),
    seen: '\u{1f44d}',
    folded: ['history'],
  },
  {
    name: 'Gmail, a picture for an answer',
    body: gmail('<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw=">', gmailQuote('Is it on?')),
    seen: '',
    folded: ['history'],
  },
  {
    name: 'A mailing list’s footer below the quote',
    body: `${gmail('Yes.', gmailQuote('Is it on?'))}<pre>_______________________________________________\nHarbour mailing list</pre>`,
    seen: 'Yes.',
    folded: ['history'],
  },
  { name: 'Outlook on Windows', body: outlook('Yes.', OUTLOOK_HEADER), seen: 'Yes.', folded: ['history'] },
  {
    name: 'Outlook on Windows, three e-mails below each other',
    body: outlook(
      'Yes.',
      OUTLOOK_HEADER,
      `<p>Is it on?</p><div style="border-top:solid #E1E1E1 1.0pt"><p>${OUTLOOK_HEADER}</p></div><p>Hello.</p>`,
    ),
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Outlook on Windows, forwarded',
    body: outlook('For you.', OUTLOOK_HEADER),
    seen: 'For you.|From: Ada Quill <ada@quill.example>|Sent: Friday, May 1, 2026 10:12 AM|To: Juno <juno@tide.example>|Subject: The webcam|Is it on?',
    isForward: true,
  },
  {
    name: 'Outlook on Windows, nothing said',
    body: outlook('&nbsp;', OUTLOOK_HEADER),
    seen: 'From: Ada Quill <ada@quill.example>|Sent: Friday, May 1, 2026 10:12 AM|To: Juno <juno@tide.example>|Subject: The webcam|Is it on?',
  },
  {
    name: 'Outlook on the web',
    body: `<div class="elementToProof">Yes.</div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font face="Calibri"><b>From:</b> Ada<br><b>Sent:</b> Friday<br><b>To:</b> Juno<br><b>Subject:</b> The webcam</font><div>&nbsp;</div></div><div><p>Is it on?</p></div>`,
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Outlook on the web, with its signature',
    body: `<div>Yes.</div><div id="Signature"><p>Juno, Tide Ltd</p></div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Ada</div><div>Is it on?</div>`,
    seen: 'Yes.',
    folded: ['signature', 'history'],
  },
  {
    name: 'Outlook on the web, a new message',
    body: '<div>Hello Ada.</div><div id="appendonsend"></div>',
    seen: 'Hello Ada.',
  },
  {
    name: 'Outlook on the web, forwarded',
    body: '<div>For you.</div><div id="appendonsend"></div><hr><div id="divRplyFwdMsg"><b>From:</b> Ada</div><div>Is it on?</div>',
    seen: 'For you.|From: Ada|Is it on?',
    isForward: true,
  },
  {
    name: 'Outlook on phones',
    body: `<div dir="ltr">Yes.</div><div id="ms-outlook-mobile-signature"><div>Get <a href="https://aka.ms/o0ukef">Outlook for iOS</a></div></div><div id="mail-editor-reference-message-container"><div class="ms-outlook-mobile-reference-message"><hr style="width:98%"><div><b>From:</b> Ada</div><div>Is it on?</div></div></div>`,
    seen: 'Yes.',
    folded: ['signature', 'history'],
  },
  {
    name: 'Outlook on a Mac, its header in a table',
    body: '<p>Yes.</p><table><tr><td>From:</td><td>Ada &lt;ada@quill.example&gt;</td></tr><tr><td>Date:</td><td>Friday, May 1, 2026 at 10:12 AM</td></tr><tr><td>To:</td><td>Juno</td></tr><tr><td>Subject:</td><td>The webcam</td></tr></table><p>Is it on?</p>',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Outlook before 2007',
    body: '<div>Yes.</div><div>-----Original Message-----<br>From: Ada<br>Is it on?</div>',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'A header in the middle of an element',
    body: '<div>Yes.<br><br>From: Ada<br>Sent: Friday, May 1, 2026 10:12 AM<br>To: Juno &lt;juno@tide.example&gt;<br>Subject: The webcam<br><br>Is it on?</div>',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'A rule above the header',
    body: '<div><p>Yes.</p><hr><p><b>From:</b> Ada<br><b>Date:</b> 01.05.26 10:12<br><b>To:</b> Juno<br><b>Subject:</b> RE: Cam</p><p>Is it on?</p></div>',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Apple Mail, answered above',
    body: `<html><body>Yes.<br><div><br>${cite('<div>On 1 May 2026, at 10:12, Ada Quill &lt;ada@quill.example&gt; wrote:</div><br class="Apple-interchange-newline"><div>Is it on?</div>')}</div><br></body></html>`,
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Apple Mail, the introduction above the quote',
    body: `<div>Yes.</div><div><br><div>On 1 May 2026, at 10:12, Ada Quill wrote:</div><br class="Apple-interchange-newline">${cite('<div>Is it on?</div>')}</div>`,
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Apple Mail, answered between',
    body: `${cite('<div>Is it on?</div>')}<div>It is.</div>${cite('<div>Since when?</div>')}<div>Since six.</div>`,
    seen: 'Is it on?|It is.|Since when?|Since six.',
  },
  {
    name: 'Apple Mail, forwarded',
    body: `For you.<br><div><br>${cite('<div>Begin forwarded message:</div><br><div><b>From: </b>Ada</div><br><div>Is it on?</div>')}</div>`,
    seen: 'For you.|Begin forwarded message:|From: Ada|Is it on?',
  },
  {
    name: 'A phone, with what it says of itself',
    body: `Yes.<br><br><div dir="ltr">Sent from my iPhone</div><div dir="ltr"><br>${cite('On May 1, 2026, at 10:12, Ada wrote:<br><br>Is it on?')}</div>`,
    seen: 'Yes.|Sent from my iPhone',
    folded: ['history'],
  },
  {
    name: 'A phone that says its name below the quote',
    body: `<div>Yes.</div>${cite('Is it on?')}<div>Von meinem iPhone gesendet</div>`,
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'A phone with nothing said but its name',
    body: `<div>Sent from my iPhone</div>${cite('Is it on?')}`,
    seen: 'Sent from my iPhone|Is it on?',
  },
  {
    name: 'Thunderbird, answered above',
    body: `<p>Yes.</p><div class="moz-cite-prefix">Am 01.05.26 um 10:12 schrieb Ada:<br></div><blockquote type="cite" cite="mid:1@quill.example">Is it on?</blockquote>`,
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Thunderbird, answered between, with a signature',
    body: `<div class="moz-cite-prefix">On 5/1/26 10:12, Ada wrote:<br></div>${cite('Is it on?')}<p>It is.</p>${cite('Since when?')}<p>Since six.</p><div class="moz-signature">-- <br>Juno</div>`,
    seen: 'On 5/1/26 10:12, Ada wrote:|Is it on?|It is.|Since when?|Since six.',
    folded: ['signature'],
  },
  {
    name: 'Thunderbird, forwarded',
    body: '<p>For you.</p><div class="moz-forward-container"><br>-------- Forwarded Message --------<table class="moz-email-headers-table"><tr><th>Subject: </th><td>Cam</td></tr><tr><th>From: </th><td>Ada</td></tr></table><br>Is it on?</div>',
    seen: 'For you.|-------- Forwarded Message --------|Subject: Cam|From: Ada|Is it on?',
  },
  {
    name: 'Yahoo',
    body: '<div class="ydp1">Yes.</div><div id="yahoo_quoted_1" class="yahoo_quoted"><div>On Friday, 1 May 2026 at 10:12:00 GMT+2, Ada wrote:</div><div>Is it on?</div></div>',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Proton',
    body: `<div>Yes.</div><div class="protonmail_signature_block"><div class="protonmail_signature_block-user">Juno</div></div><div class="protonmail_quote">On Friday, May 1st, 2026 at 10:12, Ada &lt;ada@quill.example&gt; wrote:<br><blockquote class="protonmail_quote" type="cite">Is it on?</blockquote></div>`,
    seen: 'Yes.',
    folded: ['signature', 'history'],
  },
  {
    name: 'Proton, the words of its own',
    body: '<div>Yes.</div><div>------- Original Message -------<br>On Friday, Ada wrote:<br>Is it on?</div>',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Tuta',
    body: '<div>Yes.</div><div>1 May 2026, 10:12 by ada@quill.example:</div><blockquote class="tutanota_quote">Is it on?</blockquote>',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Zoho',
    body: '<div>Yes.</div><div class="zmail_extra">---- On Fri, 01 May 2026 Ada wrote ----<blockquote>Is it on?</blockquote></div>',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'A signature by its mark alone',
    body: '<div>Hello Ada,<br>it is on.<br>-- <br>Juno<br>Tide Ltd</div>',
    seen: 'Hello Ada,|it is on.',
    folded: ['signature'],
  },
  {
    name: 'A mark that parts a long text',
    body: `<div>One</div><div>--</div>${'<div>word of a long chapter</div>'.repeat(20)}`,
    seen: ['One', '--', ...Array.from({ length: 20 }, () => 'word of a long chapter')].join('|'),
  },
  {
    name: 'A poem that stands in a block of its own',
    body: '<p>I like this one:</p><blockquote>The sea is calm tonight.</blockquote><p>Do you?</p>',
    seen: 'I like this one:|The sea is calm tonight.|Do you?',
  },
  {
    name: 'A poem at the end',
    body: '<p>I like this one.</p><blockquote>The sea is calm tonight.</blockquote>',
    seen: 'I like this one.|The sea is calm tonight.',
  },
  {
    name: 'A block of its own below an introduction',
    body: '<p>Yes.</p><p>On May 1, 2026, Ada wrote:</p><blockquote>Is it on?</blockquote>',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Plain text in a formatted mail',
    body: '<pre>Yes.\n\nOn May 1, 2026, Ada wrote:\n&gt; Is it on?\n&gt; Ada\n</pre>',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Plain text in a formatted mail, answered between',
    body: '<div>&gt; Is it on?<br>It is.<br>&gt; Since when?<br>Since six.</div>',
    seen: '> Is it on?|It is.|> Since when?|Since six.',
  },
  {
    name: 'A ticket with a journey',
    body: '<p>From: Hull<br>To: Ostend<br>Date: 1 May<br>Seat: 12</p><p>Have a good journey.</p>',
    seen: 'From: Hull|To: Ostend|Date: 1 May|Seat: 12|Have a good journey.',
  },
  {
    name: 'Words that nobody sees above the quote',
    body: `<div style="display:none">preview words</div>${cite('Is it on?')}`,
    seen: 'Is it on?',
  },
  {
    name: 'A sentence that ends in a colon above the quote',
    body: `<p>My answer to this one:</p>${cite('Is it on?')}<p>It is.</p>`,
    seen: 'My answer to this one:|Is it on?|It is.',
  },
  {
    name: 'A sentence that ends in a colon above the last quote',
    body: `<p>She said:</p><blockquote type="cite">Be kind.</blockquote>`,
    seen: 'She said:|Be kind.',
  },
  {
    name: 'Outlook on Windows, answered within the earlier e-mail',
    body: outlook('See my answers below, in red.', OUTLOOK_HEADER, '<p>Is it on?</p><p style="color:red">It is.</p>'),
    seen: 'See my answers below, in red.|From: Ada Quill <ada@quill.example>|Sent: Friday, May 1, 2026 10:12 AM|To: Juno <juno@tide.example>|Subject: The webcam|Is it on?|It is.',
  },
  {
    name: 'An e-mail that is shown, with words about it below',
    body: '<p>I got this:</p><p>From: Ada<br>Date: 1 May<br>To: Juno<br>Subject: Cam</p><p>What do you say?</p>',
    seen: 'I got this:|From: Ada|Date: 1 May|To: Juno|Subject: Cam|What do you say?',
  },
  {
    name: 'A header that somebody wrote by hand',
    body: '<p>It came from nowhere.</p><p>From: Ada<br>To: Juno<br>Subject: Cam</p><p>What do you say?</p>',
    seen: 'It came from nowhere.|From: Ada|To: Juno|Subject: Cam|What do you say?',
  },
  {
    name: 'A mark above a long paragraph',
    body: `<div>One</div><div>-- </div><div>Juno</div><div>${'word of a long chapter '.repeat(80)}</div>`,
    seen: ['One', '--', 'Juno', 'word of a long chapter '.repeat(80).trim()].join('|'),
  },
  {
    name: 'A postscript below the name',
    body: '<div>One</div><div>-- </div><div>Juno</div><div>P.S. Bring the keys</div>',
    seen: 'One|--|Juno|P.S. Bring the keys',
  },
  {
    name: 'Yahoo in a browser',
    body: '<div>Yes.</div><div id="ydp9yahoo_quoted_1" class="ydp9yahoo_quoted"><div>On Friday, May 1, 2026, Ada wrote:</div><div>Is it on?</div></div>',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'Outlook on the web, answered once more',
    body: `<div>Yes.</div><div id="x_appendonsend"></div><hr><div id="x_divRplyFwdMsg">${OUTLOOK_HEADER}</div><div>Is it on?</div>`,
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'GMX, whose header begins with the date',
    body: '<div>Ja.</div><div name="quote"><div><b>Gesendet:</b> Freitag, 1. Mai 2026 um 10:12 Uhr<br><b>Von:</b> ada@quill.example<br><b>An:</b> Juno<br><b>Betreff:</b> Cam</div><div>Is it on?</div></div>',
    seen: 'Ja.',
    folded: ['history'],
  },
  {
    name: 'An invoice with the lines of a header',
    body: '<p>Invoice</p><hr><p><b>From:</b> Boat Ltd<br><b>To:</b> You<br><b>Date:</b> 23 Nov 2026<br><b>Subject:</b> Rope</p><table><tr><td>Rope</td><td>12,50</td></tr></table>',
    seen: 'Invoice|From: Boat Ltd|To: You|Date: 23 Nov 2026|Subject: Rope|Rope 12,50',
  },
  {
    name: 'An order in a ruled box',
    body: '<p>Your order</p><div style="border-top:solid 1px #ccc"><p>Boat Ltd<br>From: Boat Ltd<br>Date: 23 Nov 2026 09:15<br>To: You<br>Subject: Rope</p></div><p>12,50</p>',
    seen: 'Your order|Boat Ltd|From: Boat Ltd|Date: 23 Nov 2026 09:15|To: You|Subject: Rope|12,50',
  },
  {
    name: 'A shell’s redirection in a formatted mail',
    body: '<p>Then run</p><div>cat a.txt<br>&gt; b.txt</div>',
    seen: 'Then run|cat a.txt|> b.txt',
  },
  {
    name: 'A menu with chevrons',
    body: '<p>Go to</p><div>&gt; Settings<br>&gt; Mail</div>',
    seen: 'Go to|> Settings|> Mail',
  },
  {
    name: 'Marks between items',
    body: '<div>Shopping</div><div>--</div><div>Rope</div><div>--</div><div>Tar</div>',
    seen: 'Shopping|--|Rope|--|Tar',
  },
  introduced('German', `Am Fr., 1. Mai 2026 um 10:12 Uhr schrieb ${WHO}:`),
  introduced('French', `Le ven. 1 mai 2026 à 10:12, ${WHO} a écrit :`),
  introduced('Spanish', `El vie, 1 may 2026 a las 10:12, Ada Quill (&lt;ada@quill.example&gt;) escribió:`),
  introduced('Italian', `Il giorno ven 1 mag 2026 alle ore 10:12 ${WHO} ha scritto:`),
  introduced('Portuguese', `Em sex., 1 de mai. de 2026 às 10:12, ${WHO} escreveu:`),
  introduced('Dutch', `Op vr 1 mei 2026 om 10:12 schreef ${WHO}:`),
  introduced('Swedish', `Den fre 1 maj 2026 kl 10:12 skrev ${WHO}:`),
  introduced('Finnish', `pe 1. toukok. 2026 klo 10.12 Ada Quill (ada@quill.example) kirjoitti:`),
  introduced('Polish', `pt., 1 maj 2026 o 10:12 ${WHO} napisał(a):`),
  introduced('Russian', `пт, 1 мая 2026 г. в 10:12, ${WHO}:`),
  introduced('Turkish', `${WHO}, 1 May 2026 Cum, 10:12 tarihinde şunu yazdı:`),
  introduced('Japanese', `2026年5月1日(金) 10:12 ${WHO}:`),
  introduced('Chinese', `${WHO} 于2026年5月1日周五 10:12写道：`),
  introduced('Korean', `2026년 5월 1일 (금) 오전 10:12, ${WHO}님이 작성:`),
  introduced('Hebrew', `‫בתאריך יום ו׳, 1 במאי 2026 ב-10:12 מאת ‪Ada‬‏ &lt;‪ada@quill.example‬‏&gt;:`),
  introduced('Hebrew, with marks of direction behind it', `\u202bבתאריך 1 במאי 2026 מאת ${WHO}:\u202c`),
  headed('German', '<b>Von:</b> Ada<br><b>Gesendet:</b> Freitag<br><b>An:</b> Juno<br><b>Betreff:</b> Cam'),
  headed('French', '<b>De :</b> Ada<br><b>Envoyé :</b> vendredi<br><b>À :</b> Juno<br><b>Objet :</b> Cam'),
  headed('Spanish', '<b>De:</b> Ada<br><b>Enviado el:</b> viernes<br><b>Para:</b> Juno<br><b>Asunto:</b> Cam'),
  headed('Russian', '<b>От:</b> Ada<br><b>Отправлено:</b> 1 мая<br><b>Кому:</b> Juno<br><b>Тема:</b> Cam'),
  headed('Romanian', '<b>De la:</b> Ada<br><b>Trimis:</b> vineri<br><b>Către:</b> Juno<br><b>Subiect:</b> Cam'),
  headed('Bulgarian', '<b>От:</b> Ada<br><b>Изпратено:</b> 1 май<br><b>До:</b> Juno<br><b>Относно:</b> Cam'),
  headed('Croatian', '<b>Šalje:</b> Ada<br><b>Poslano:</b> petak<br><b>Prima:</b> Juno<br><b>Predmet:</b> Cam'),
  headed('Slovene', '<b>Od:</b> Ada<br><b>Poslano:</b> petek<br><b>Za:</b> Juno<br><b>Zadeva:</b> Cam'),
  headed('Estonian', '<b>Saatja:</b> Ada<br><b>Saadetud:</b> reede<br><b>Adressaat:</b> Juno<br><b>Teema:</b> Cam'),
  headed('Thai', '<b>จาก:</b> Ada<br><b>ส่ง:</b> 2026<br><b>ถึง:</b> Juno<br><b>เรื่อง:</b> Cam'),
  headed('Vietnamese', '<b>Từ:</b> Ada<br><b>Đã gửi:</b> 2026<br><b>Đến:</b> Juno<br><b>Chủ đề:</b> Cam'),
  headed('Japanese', '<b>差出人:</b> Ada<br><b>送信日時:</b> 5月1日<br><b>宛先:</b> Juno<br><b>件名:</b> Cam'),
  headed('Chinese', '<b>发件人:</b> Ada<br><b>发送时间:</b> 5月1日<br><b>收件人:</b> Juno<br><b>主题:</b> Cam'),
]

export const TEXT_BODIES: readonly ReplyBody[] = [
  {
    name: 'answered above',
    body: 'Yes.\n\nOn Friday Ada wrote:\n> Is it on?\n>\n> Ada\n',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'answered between, with a signature',
    body: 'On Friday Ada wrote:\n> Is it on?\nIt is.\n\n> Since when?\n\nSince six.\n-- \nJuno\nTide Ltd',
    seen: 'On Friday Ada wrote:|Is it on?|It is.|Since when?|Since six.',
    folded: ['signature'],
  },
  {
    name: 'answered between, with a rest that was not',
    body: '> Is it on?\nIt is.\n> Thanks,\n> Ada',
    seen: 'Is it on?|It is.',
    folded: ['history'],
  },
  {
    name: 'an introduction over two lines',
    body: 'Yes.\n\nOn Fri, May 1, 2026 at 10:12 AM Ada Quill <ada@quill.example>\nwrote:\n\n> Is it on?',
    seen: 'Yes.',
    folded: ['history'],
  },
  {
    name: 'a signature above the quote',
    body: 'Yes.\n-- \nJuno\n\nAm 01.05.26 um 10:12 schrieb Ada:\n> Is it on?',
    seen: 'Yes.',
    folded: ['signature', 'history'],
  },
  {
    name: 'under an original message',
    body: 'No.\n\n-----Original Message-----\nFrom: Ada\n\nIs it on?',
    seen: 'No.',
    folded: ['history'],
  },
  {
    name: 'under an original message in German',
    body: 'Nein.\n\n-----Ursprüngliche Nachricht-----\nVon: Ada\n\nGeht sie?',
    seen: 'Nein.',
    folded: ['history'],
  },
  {
    name: 'under Outlook’s header',
    body: 'No.\n\n________________________________\nFrom: Ada <ada@quill.example>\nSent: Friday, May 1, 2026 10:12 AM\nTo: Juno\nSubject: Cam\n\nIs it on?',
    seen: 'No.',
    folded: ['history'],
  },
  {
    name: 'under Outlook’s header with stars',
    body: 'No.\n\n*From:* Ada <ada@quill.example>\n*Sent:* Friday, 10.12\n*To:* Juno\n*Subject:* Cam\n\nIs it on?',
    seen: 'No.',
    folded: ['history'],
  },
  {
    name: 'forwarded, by its subject',
    body: 'For you.\n\n-----Original Message-----\nFrom: Ada\n\nIs it on?',
    seen: 'For you.|-----Original Message-----|From: Ada|Is it on?',
    isForward: true,
  },
  {
    name: 'forwarded, by its words',
    body: 'For you.\n\n---------- Forwarded message ---------\nFrom: Ada\n\nIs it on?',
    seen: 'For you.|---------- Forwarded message ---------|From: Ada|Is it on?',
  },
  ...[
    'Hämta Outlook för iOS',
    'Outlook für Android beziehen',
    'Outlook voor Android downloaden',
    'Obtenir Outlook pour iOS',
    'Scarica Outlook per iOS',
    'Надіслано з iPhone',
    'נשלח מה-iPhone שלי',
    'تم الإرسال من iPhone',
    'Στάλθηκε από το iPhone μου',
    'Trimis de pe iPhone-ul meu',
    'Küldve az iPhone-omról',
  ].map((words) => ({
    name: `a program that says its name below the quote: ${words}`,
    body: `Yes.\n\nOn Fri, May 1, 2026 Ada <ada@quill.example> wrote:\n> Is it on?\n\n${words}`,
    seen: 'Yes.',
    folded: ['history'] as const,
  })),
  {
    name: 'answered within an original message',
    body: 'See below.\n\n-----Original Message-----\nFrom: Ada\nSent: Friday\nTo: Juno\nSubject: Cam\n\nIs it on?\n[Juno] It is.',
    seen: 'See below.|-----Original Message-----|From: Ada|Sent: Friday|To: Juno|Subject: Cam|Is it on?|[Juno] It is.',
  },
  {
    name: 'what a mailing list says, a line below the quote',
    body: 'Yes.\n\nOn May 1, 2026, Ada wrote:\n> Is it on?\n\n_______________________________________________\nTide mailing list\ntide@lists.example',
    seen: 'Yes.',
    folded: ['history'],
  },
  ...[
    'Shopping:\n--\nrope\ntar\n--\nand bring money.',
    'Shopping:\n\n-- \nRope\nTar',
    'Shopping\n-- \nrope\n-- \nbring money',
    'Shopping\n--\nRope\nTar',
    'Shopping\n\n--\nRope\nTar',
    'Shopping\n\n-- \nrope\ntar',
    'Hello.\n\n--\nCall me tomorrow',
    'One.\n\n--\n\nTwo is the more important one.',
    'Try this:\n\n>>> import boat\n>>> boat.length\n12\n>>> boat.name',
    '>>> import boat\n>>> boat.length',
    'Then run\n\ncat a.txt \\\n> b.txt',
    'Then run\n\n> npm test',
    'It holds if n\n>= 3',
    'The new lines:\n\n3a4,5\n> rope\n> tar',
    'In R\n\n> x <- c(1, 2)\n> mean(x)',
    'Go to\n\n> Settings\n> Mail\n> Filters',
    'As the poet wrote.\n\n> The sea is calm tonight.',
    'New order\n\nFrom: Boat Ltd\nTo: You\nDate: 23 Nov 2026 10:12\nSubject: Rope\n\n12,50',
    'New order\n\nFrom: shop@boat.example\nTo: You\nDate: 23.11.2026\nSubject: Rope\n\n12,50',
  ].map((body) => ({
    name: `the sender’s own words: ${body}`,
    body,
    seen: body
      .split(/\n+/)
      .map((line) => line.trim())
      .join('|'),
  })),
  {
    name: 'code after a quote',
    body: 'On Friday Ada wrote:\n> How long is it?\n\n>>> boat.length\n12',
    seen: 'On Friday Ada wrote:|How long is it?|>>> boat.length|12',
  },
  {
    name: 'a signature without its space, with an address',
    body: 'Yes.\n--\nJuno Tide\njuno@tide.example',
    seen: 'Yes.',
    folded: ['signature'],
  },
  {
    name: 'a signature without its space, below a blank line',
    body: 'Yes.\n\n--\nJuno Tide\nTide Ltd',
    seen: 'Yes.',
    folded: ['signature'],
  },
  { name: 'only a quote', body: '> Is it on?\n> Ada', seen: 'Is it on?|Ada' },
  { name: 'only a signature', body: '-- \nJuno', seen: '--|Juno' },
  {
    name: 'a sentence that ends in a colon where no quote follows',
    body: 'Two things:\n\none\ntwo',
    seen: 'Two things:|one|two',
  },
  {
    name: 'what Google’s groups say below a quote',
    body: 'Yes.\n\nOn Friday Ada wrote:\n> Is it on?\n\n-- \nYou received this message because you are subscribed.',
    seen: 'Yes.',
    folded: ['history'],
  },
]
