import { lacksOperation } from '../api/platform-problem.ts'
import { ACCOUNT, type Abilities, type Ability } from './abilities.ts'

/**
 * Asks what only a platform with an ability can answer, and learns from the answer.
 * @param otherwise what stands for the answer where the platform does not seem to have the ability
 * @param rules `isLacking`: whether what was thrown says that the platform lacks it; `isEvidence`: false where such an answer says
 *   nothing of what the platform offers, as a 404 of something that is gone from it
 * @throws what was thrown otherwise
 */
export const askIfOffered = async <Value, Otherwise>(
  abilities: Abilities,
  ability: Ability,
  work: () => Promise<Value>,
  otherwise: () => Otherwise,
  {
    isLacking = lacksOperation,
    isEvidence = true,
  }: { readonly isLacking?: (thrown: unknown) => boolean; readonly isEvidence?: boolean } = {},
): Promise<Value | Otherwise> => {
  if (!abilities.isWorthAsking(ACCOUNT, ability)) return otherwise()
  const askedAt = abilities.now()
  try {
    const value = await work()
    abilities.offered(ACCOUNT, ability)
    return value
  } catch (thrown) {
    if (!isLacking(thrown)) throw thrown
    if (isEvidence) abilities.refused(ACCOUNT, ability, askedAt)
    return otherwise()
  }
}
