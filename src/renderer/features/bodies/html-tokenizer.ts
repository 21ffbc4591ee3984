import { Tokenizer, type TokenizerCallbacks } from 'htmlparser2'

const pass = (): void => undefined

const DEAF: TokenizerCallbacks = {
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

/**
 * What reads an e-mail's HTML without making a tree of it, each character once.
 * @param callbacks hear of its parts, by their places in the text; the parts without one are passed over
 */
export const createHtmlTokenizer = (
  { decodeEntities }: { readonly decodeEntities: boolean },
  callbacks: Partial<TokenizerCallbacks>,
): Tokenizer => new Tokenizer({ decodeEntities }, { ...DEAF, ...callbacks })
