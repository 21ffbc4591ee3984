import { type ProblemError, createProblem } from '../../shared/result.ts'

const invalid = (message: string): ProblemError => createProblem('invalid_input', message)

/** Maximum characters of a base URL. Anything longer was pasted by mistake and isn't parsed. */
const MAX_URL_LENGTH = 2000

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)

/** A scheme is letters followed by `://`; a colon alone separates host and port. */
const hasScheme = (text: string): boolean => /^[a-z][a-z\d+.-]*:\/\//i.test(text)

/**
 * Parses a typed base URL and strips trailing slashes. `http://` is for loopback only, so keys never travel in clear
 * text.
 * @throws ProblemError `invalid_input` with what to correct
 */
export const parseBaseUrl = (text: string): URL => {
  const trimmed = text.trim()
  if (trimmed.length > MAX_URL_LENGTH)
    throw invalid('This address is too long. It should look like https://api.example.com.')
  const address = hasScheme(trimmed) ? trimmed : `https://${trimmed}`
  if (!/^https?:\/\//i.test(address)) throw invalid('Start the address with https://.')
  if (!URL.canParse(address)) throw invalid('This is not a web address. It should look like https://api.example.com.')
  const url = new URL(address)
  if (url.username !== '' || url.password !== '') {
    throw invalid('Leave out the user name and password. The API key is enough.')
  }
  if (url.search !== '' || url.hash !== '') throw invalid('Leave out the ? or # and everything after it.')
  if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
    throw invalid(
      'Use https://. With http://, others could read your API key. Only this computer’s own address can use http://.',
    )
  }
  url.pathname = url.pathname.replace(/\/+$/, '')
  return url
}
