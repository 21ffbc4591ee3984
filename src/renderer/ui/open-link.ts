/** Opens a safe target outside of Linnet, which learns nothing of where it came from. */
export const openLink = (target: string): void => {
  window.open(target, '_blank', 'noopener,noreferrer')
}
