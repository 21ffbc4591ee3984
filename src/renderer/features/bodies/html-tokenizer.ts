import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

const pass = (): void => undefined

const NO_CALLBACKS: TokenizerCallbacks = {
  onopentagname: pass,
  onattribname: pass,
  onattribdata: pass,
  onattribentity: pass,
  onattribend: pass,
  onopentagend: pass,
  onselfclosingtag: pass,
  onclosetag: pass,
  ontext: pass,
  ontextentity: pass,
  oncdata: pass,
  oncomment: pass,
  ondeclaration: pass,
  onprocessinginstruction: pass,
  onend: pass,
}

/** One-pass HTML tokenizer without a tree. Callbacks receive positions in the text; missing ones are skipped. */
export const createHtmlTokenizer = (
  { decodeEntities }: { readonly decodeEntities: boolean },
  callbacks: Partial<TokenizerCallbacks>,
): Tokenizer => new Tokenizer({ decodeEntities }, { ...NO_CALLBACKS, ...callbacks })
