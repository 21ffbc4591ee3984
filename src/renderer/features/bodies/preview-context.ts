import { getContext, setContext } from 'svelte'

const KEY = Symbol('preview')

/** Keeps remote pictures blocked in the mail below, even from senders whose pictures are always shown. */
export const providePreview = (): void => {
  setContext(KEY, true)
}

/** True in a preview, which must tell the sender nothing. */
export const useIsPreview = (): boolean => getContext<true | undefined>(KEY) === true
