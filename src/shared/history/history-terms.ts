/**
 * Lines with which mail programs introduce earlier e-mails, in common languages. Matched against single, short lines.
 */

/** Maximum characters of a line written by a mail program. */
const LONGEST_OWN_LINE = 400

const anyOf = (words: string): string =>
  words
    .split('|')
    .map((word) => word.trim())
    .join('|')

const ORIGINAL = anyOf(
  `original message|original e-?mail|original appointment|ursprüngliche nachricht|originalnachricht|message d['’]origine|
  message original|mensaje original|messaggio originale|mensagem original|oorspronkelijk bericht|
  ursprungligt meddelande|originalmeddelande|opprinnelig melding|oprindelig meddelelse|original meddelelse|alkuperäinen viesti|
  oryginalna wiadomość|wiadomość oryginalna|původní zpráva|pôvodná správa|eredeti üzenet|mesaj original|mesajul original|
  исходное сообщение|оригинальное сообщение|первоначальное сообщение|оригінальне повідомлення|αρχικό μήνυμα|
  orijinal mesaj|özgün ileti|原始邮件|原始郵件|原邮件|元のメッセージ|원본 메시지|원본 메일|הודעה מקורית|الرسالة الأصلية|pesan asli|thư gốc`,
)

const FORWARDED = anyOf(
  `forwarded message|forwarded e-?mail|forwarded by|weitergeleitete nachricht|weitergeleitete e-?mail|message transféré|message réexpédié|
  mensaje reenviado|messaggio inoltrato|mensagem encaminhada|mensagem reencaminhada|doorgestuurd bericht|
  vidarebefordrat meddelande|vidarebefordrat brev|videresendt melding|videresendt meddelelse|edelleenlähetetty viesti|
  välitetty viesti|przekazana wiadomość|wiadomość przekazana|treść przekazanej wiadomości|přeposlaná zpráva|
  továbbított üzenet|mesaj redirecționat|пересылаемое сообщение|пересланное сообщение|переслане повідомлення|
  προωθημένο μήνυμα|iletilen mesaj|iletilmiş mesaj|转发的邮件|轉寄郵件|転送メッセージ|転送されたメッセージ|전달된 메시지|
  הודעה שהועברה|رسالة مُعاد توجيهها|رسالة معاد توجيهها|pesan terusan|thư được chuyển tiếp`,
)

/** `-----Original Message-----`: everything below is an earlier e-mail. */
const ORIGINAL_LINE = new RegExp(`^[\\s>]*[-_=]{2,}\\s*(?:${ORIGINAL})\\s*:?\\s*[-_=]*\\s*$`, 'iu')

/** `---------- Forwarded message ---------`: the text below is the point of the e-mail. */
const FORWARDED_LINE = new RegExp(`^\\s*[-_=]{2,}\\s*(?:${FORWARDED})(?:[\\s\\-_=:：]|$)`, 'iu')
const FORWARD_BEGINS = new RegExp(
  `^\\s*(?:${anyOf(
    `begin forwarded message|anfang der weitergeleiteten (?:nachricht|e-?mail)|début du message (?:réexpédié|transféré)|
    inicio del mensaje reenviado|inizio messaggio inoltrato|início da mensagem (?:reencaminhada|encaminhada)|
    begin doorgestuurd bericht|vidarebefordrat (?:brev|mejl)|videresendt (?:besked|melding)|välitetty viesti alkaa|
    początek przekazywanej wiadomości|начало переадресованного сообщения|以下是转发的邮件|転送されたメッセージ|전달된 메시지`,
  )})\\s*[:：]`,
  'iu',
)

export const isOriginalMessageLine = (line: string): boolean =>
  line.length <= LONGEST_OWN_LINE && ORIGINAL_LINE.test(line)

export const isForwardLine = (text: string): boolean => {
  const beginning = text.slice(0, LONGEST_OWN_LINE)
  return FORWARDED_LINE.test(beginning) || FORWARD_BEGINS.test(beginning)
}

/** A header label of an earlier e-mail, as Outlook writes it into the text. */
const label = (words: string): RegExp => new RegExp(`^[\\s>*]*(?:${anyOf(words)})\\s*\\**\\s*[:：]`, 'iu')

const FROM = label(
  `from|von|de|da|van|från|fra|lähettäjä|od|nadawca|odesílatel|feladó|expéditeur|mittente|от|від|από|kimden|gönderen|
  发件人|寄件者|寄件人|差出人|보낸 사람|보낸사람|מאת|من|dari|từ|de la|šalje|saatja|จาก`,
)
const SUBJECT = label(
  `subject|betreff|objet|asunto|oggetto|assunto|onderwerp|ämne|emne|aihe|temat|předmět|predmet|tárgy|subiect|тема|
  θέμα|konu|主题|主旨|件名|제목|נושא|الموضوع|subjek|perihal|chủ đề|assumpte|относно|zadeva|teema|เรื่อง`,
)
const SENT = label(
  `sent|date|gesendet|datum|envoyé|date d['’]envoi|enviado(?: el)?|enviada(?: em)?|fecha|inviato|data|verzonden|skickat|sendt|
  dato|lähetetty|päivämäärä|wysłano|wysłane|odesláno|odoslané|elküldve|dátum|trimis|отправлено|дата|надіслано|изпратено|
  στάλθηκε|ημερομηνία|gönderildi|gönderilme tarihi|tarih|发送时间|日期|時間|时间|寄件日期|送信日時|日時|日付|보낸 날짜|날짜|נשלח|
  תאריך|تاريخ الإرسال|التاريخ|dikirim|tanggal|đã gửi|ngày|enviat|poslano|saadetud|ส่ง|วันที่`,
)

const TO = label(
  `to|an|à|a|para|aan|till|til|vastaanottaja|do|komu|címzett|către|кому|до|προς|kime|alıcı|收件人|收件者|宛先|받는 사람|받는사람|אל|إلى|
  kepada|untuk|đến|prima|za|adressaat|ถึง|per a|kam|gavėjas`,
)
/** True if a text starts with the sender or the date of an earlier e-mail. */
export const startsWithHeaderLabel = (text: string): boolean => FROM.test(text) || SENT.test(text)

const ADDRESS = /[^\s@<>()]@[^\s@<>()]/u
/** Mail programs always write the time of day. */
const TIME = /\d{1,2}[:h時时시]\s?\d{2}|(?<![\d.])\d{1,2}\.\d{2}(?![\d.])/u

/** Number of lines to examine below the first line of a header. */
export const MAX_HEADER_LINES = 8

/**
 * True if these lines are certainly the header of an earlier e-mail. Every program writes the sender, the recipients,
 * the date with its time, and the subject, and starts with the sender or the date. An invoice or an itinerary may have
 * the same labels, but has no time or no address.
 * @param below returns the following lines; called only if the first line matches
 */
export const startsQuotedHeader = (first: string, below: () => readonly string[]): boolean => {
  if (first.length > LONGEST_OWN_LINE || !startsWithHeaderLabel(first)) return false
  const lines = [first, ...below()].map((line) => line.slice(0, LONGEST_OWN_LINE))
  const [from, sent, to, subject] = [FROM, SENT, TO, SUBJECT].map((kind) => lines.find((line) => kind.test(line)))
  if (from === undefined || sent === undefined || to === undefined || subject === undefined) return false
  return (
    TIME.test(sent) &&
    (ADDRESS.test(from) || ADDRESS.test(to) || /[:：]\s*(?:re|aw|sv|vs|antw|回复|答复)[:：]/iu.test(subject))
  )
}

/** Phrases that announce replies within the quoted text below. */
const ANSWERS_BELOW = new RegExp(
  `(?<!\\p{L})(?:${anyOf(
    `below|inline|in-line|in (?:red|blue|green|colou?r|capitals|bold)|interspersed|within your (?:e-?mail|text)|unten|weiter unten|nachfolgend|
    im text|in (?:rot|blau|grün|farbe)|ci-dessous|plus bas|en (?:rouge|bleu|vert|rojo|azul|verde|couleur)|abajo|más abajo|sotto|qui sotto|in rosso|
    abaixo|em (?:vermelho|azul)|hieronder|onderaan|in het (?:rood|blauw)|nedan|i rött|nedenfor|nedenunder|i rødt|alla olev\\p{L}*|alempana|
    punaisella|poniżej|na czerwono|níže|nižšie|červeně|alább|pirossal|mai jos|ниже|красным|нижче|παρακάτω|aşağıda|kırmızı`,
  )})(?!\\p{L})|下面|下方|红色|紅色|赤字|以下に回答|下記に回答|아래|빨간|למטה|באדום|أدناه|أسفل`,
  'iu',
)

export const announcesInlineReplies = (line: string): boolean => ANSWERS_BELOW.test(line.slice(0, LONGEST_OWN_LINE))

export const isPostscript = (line: string): boolean =>
  /^\s*(?:(?:p\.?\s?)+s(?:\.|(?![\p{L}\p{N}]))|п\.\s?с\.|nb\s*:)/iu.test(line)

/** Introductions contain a date, in digits of any script, and often an address. */
export const HAS_DIGIT = /\p{Nd}/u
const WROTE = new RegExp(
  anyOf(
    `wrote|writes|schrieb|geschrieben|a écrit|escribi[oó]|va escriure|ha scritto|escreveu|schreef|skrev|kirjoitti|napisał|
    napsal|napísal|írta|a scris|написал|написав|пише|пишет|написа|έγραψε|yazdı|写道|寫道|写到|書きました|のメッセージ|작성|
    님이 씀|כתב|מאת|كتب|เขียน|đã viết|menulis|ra(?:š|s)ė|rakstīja|kirjutas`,
  ),
  'iu',
)
const WROTE_AT_END = /(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|skrev|kirjoitti)\s*:\s*$/iu

/** True for the introduction of a quote, such as "On Monday, Ada wrote:". It only counts directly above the quote. */
export const isAttribution = (words: string): boolean => {
  // Hebrew and Arabic lines may end with invisible direction marks after the colon.
  if (words.length > LONGEST_OWN_LINE || !/(?:[:：]|\s-{2,})[\s\p{Cf}]*$/u.test(words)) return false
  if (WROTE_AT_END.test(words)) return true
  const hasAddress = ADDRESS.test(words)
  const hasDigit = HAS_DIGIT.test(words)
  return (hasAddress && hasDigit) || ((hasAddress || hasDigit) && WROTE.test(words))
}

/** `-- ` alone on its line (RFC 3676, 4.3), or without the space, which some programs trim. */
export const isSignatureDelimiter = (line: string): boolean => /^--[ \u00a0]?$/.test(line)

/** An address or a telephone number. */
const CONTACT = /[^\s@]@[^\s@]|https?:|www\.|(?:\+|\b)\d(?:[\s()./-]?\d){6}/
/** Two to five words with capitals or in a script without them, and particles, such as "Ada van Quill, CEO". */
const NAME =
  /^(?:[\p{Lu}\p{Lt}\p{Lo}(][^\s.!?:;]*\.?(?:\s+(?:[\p{Lu}\p{Lt}\p{Lo}\p{N}(|&/–-][^\s!?:;]*|\p{Ll}{1,3})){1,4})$/u

/**
 * True if the lines below a signature delimiter are certainly a signature. People also write `--` between items.
 * @param lines without blank ones @param above the nearest line with text above the delimiter
 * @param isApart true if the line directly above is blank
 */
export const isSignature = (
  delimiter: string,
  lines: readonly string[],
  { above, isApart, isOnlyOne }: { readonly above: string; readonly isApart: boolean; readonly isOnlyOne: boolean },
): boolean => {
  if (/[:：]\s*$/u.test(above)) return false
  const [first = '', ...others] = lines
  const isExact = delimiter.length > 2
  if (isExact && lines.some((line) => CONTACT.test(line))) return true
  if (!isOnlyOne) return false
  if (isExact) return !/^\s*\p{Ll}/u.test(first)
  return NAME.test(first.trim()) && (isApart || others.some((line) => CONTACT.test(line)))
}

/** Quote depth of a line: 2 for both `>> said` and `> > said`. */
export const quoteDepth = (line: string): number => {
  let depth = 0
  for (const sign of /^>[> ]*/.exec(line)?.[0] ?? '') if (sign === '>') depth += 1
  return depth
}

const CODE =
  /[{}\\`]|;\s*$|\s\|\s|\w\s*=\s*\S|\$[a-z({]|[\w\]]\(|<-|->|^(?:=|[\w./~-]+\.\w{1,4}$|\d+$|(?:import|def|class|return|print|echo|cd|ls|cat|git|npm|sudo|select|let|const)\s)/i
/** Only prompts and redirections have so many marks without quoting a line with fewer. */
const PROMPT_DEPTH = 3

/** True if the lines that start with `>` are rather code: a prompt, a redirection or a comparison. */
export const looksLikeCode = (lines: readonly string[]): boolean => {
  const said = lines.map((line) => line.replace(/^>[> ]*/, '').replace(/https?:\S+/g, '')).filter((line) => line !== '')
  const code = said.filter((line) => CODE.test(line))
  return code.length * 2 > said.length || lines.every((line) => quoteDepth(line) >= PROMPT_DEPTH)
}

/** Lines that a mail program adds below a message; they are not a reply. */
const PROGRAM = new RegExp(
  `^\\s*(?:${anyOf(
    `sent from (?:my|outlook|mail|yahoo|proton|gmail|samsung|aol)|sent with|sent via|get outlook for|von meinem .{1,40} gesendet|
    gesendet (?:von|mit)|envoyé (?:de|depuis|à partir)|enviado desde|enviado do meu|inviato da|verstuurd vanaf|verzonden vanaf|
    skickat från|sendt fra|lähetetty |wysłane z|odesláno z|отправлено (?:с|из)|iphone['’]umdan|发自我的|iphoneから送信|나의 iphone|надіслано з|
    נשלח מה|تم الإرسال من|στάλθηκε από|trimis de pe|küldve az|enviado do outlook|hämta outlook|outlook (?:für|voor) .{2,20} (?:beziehen|downloaden)|
    (?:obtenir|obtener|scarica|obter|pobierz) outlook|sent from front`,
  )})`,
  'iu',
)

export const isMailProgramLine = (line: string): boolean => line.length <= 120 && PROGRAM.test(line)

/** `FW: `, `WG: ` and so on before a subject: the forwarded e-mail is the point of the message. */
const FORWARD_SUBJECT =
  /^\s*(?:fwd?|wg|weitergeleitet|tr|rv|enc|i|vs|vb|fs|vl|pd|pr|doorst|ilt|转发|轉寄|転送|전달|továbbítás)\s*(?:\[\d+\])?\s*[:：]/iu

export const isForwardSubject = (subject: string | null): boolean => FORWARD_SUBJECT.test((subject ?? '').slice(0, 80))
