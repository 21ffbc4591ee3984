import { isForwardLine, startsWithHeaderLabel } from './history-terms.ts'
import type { MessageLine } from './message-folds.ts'

/** Elements that mail programs wrap around quoted text (Apple Mail, Thunderbird, Gmail, Proton, Yahoo, Tuta, Zoho). */
export const QUOTES =
  'blockquote[type="cite" i], blockquote.gmail_quote, blockquote.protonmail_quote, blockquote.tutanota_quote, .yahoo_quoted, [class^="ydp"][class$="yahoo_quoted"], .zmail_extra'
/** Wrappers of a quote, its introduction and inline replies. A wrapper without a quote inside is itself the quote. */
const QUOTE_WRAPPERS = 'div.gmail_quote, div.protonmail_quote, div.gmail_extra'
const INTRODUCTIONS = '.gmail_attr, .moz-cite-prefix'
const SIGNATURES =
  '.gmail_signature, .moz-signature, .protonmail_signature_block-user, [id="Signature" i], [id^="ms-outlook-mobile-signature" i], .tutanota_signature'
/** Everything from these elements on is an earlier e-mail (Outlook on the web and mobile, Windows Mail). */
const HISTORY =
  '[id$="appendonsend" i], [id$="divRplyFwdMsg" i], [id="mail-editor-reference-message-container" i], .ms-outlook-mobile-reference-message, [id="OLK_SRC_BODY_SECTION" i]'
/** The rule that Outlook draws above the header of an earlier e-mail. */
const RULED = '[style*="border-top:solid" i], [style*="border-top: solid" i]'
const PROGRAM_MARKUP = [QUOTES, QUOTE_WRAPPERS, INTRODUCTIONS, SIGNATURES, HISTORY, RULED].join(', ')

/** An element of a browser's document or of a parsed page. */
export interface MarkedElement {
  readonly matches: (selector: string) => boolean
  /** True if an element inside matches. */
  readonly contains: (selector: string) => boolean
  /** The first characters of the text inside, trimmed. */
  readonly leadingText: () => string
}

/** Kind of an element that a mail program marked up, or null if its children must be examined. */
export const kindOfMarkup = ({ matches, contains, leadingText }: MarkedElement): MessageLine['kind'] | null => {
  if (!matches(PROGRAM_MARKUP)) return null
  if (matches(HISTORY)) return 'history'
  if (matches(RULED)) return startsWithHeaderLabel(leadingText()) ? 'history' : null
  const isSignature = matches(SIGNATURES)
  // Forwarded mail is marked up like quoted mail, except for its first line.
  if (!isSignature && isForwardLine(leadingText())) return null
  if (matches(QUOTE_WRAPPERS)) return contains(QUOTES) ? null : 'quote'
  if (matches(QUOTES)) return 'quote'
  if (!isSignature) return 'introduction'
  // Some programs put the entire message into the signature. Ignore those.
  return contains(`${QUOTES}, ${HISTORY}`) ? null : 'signature'
}
