import { lacksOperation } from '../api/platform-problem.ts'
import { ACCOUNT, type Abilities, type Ability } from './abilities.ts'

/**
 * Makes a request that depends on an ability, and learns from the outcome. @throws unrelated errors
 * @param otherwise fallback if the ability seems missing
 * @param rules `isLacking`: true if an error means that the ability is missing; `isEvidence`: false if such an error
 * proves nothing, like a 404 for something already gone from the platform
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
