/** Opens a safe target outside of Linnet, without a referrer. */
export const openLink = (target: string): void => {
  window.open(target, '_blank', 'noopener,noreferrer')
}
