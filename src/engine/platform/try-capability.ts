import { lacksOperation } from './platform-problem.ts'
import { ACCOUNT_SCOPE, type Capabilities, type Capability } from './capabilities.ts'

/**
 * Makes a request that depends on a capability, and learns from the outcome. @throws unrelated errors
 * @param otherwise fallback if the capability seems missing
 * @param rules `scope`: an inbox ID, or else the account; `isLacking`: true if an error means that the capability is
 * missing; `isEvidence`: false if such an error proves nothing, like a 404 for something already gone from the platform
 */
export const tryCapability = async <Value, Otherwise>(
  capabilities: Capabilities,
  capability: Capability,
  work: () => Promise<Value>,
  otherwise: () => Otherwise,
  {
    scope = ACCOUNT_SCOPE,
    isLacking = lacksOperation,
    isEvidence = true,
  }: {
    readonly scope?: string
    readonly isLacking?: (thrown: unknown) => boolean
    readonly isEvidence?: boolean
  } = {},
): Promise<Value | Otherwise> => {
  if (!capabilities.shouldProbe(scope, capability)) return otherwise()
  const askedAt = capabilities.now()
  try {
    const value = await work()
    capabilities.recordSuccess(scope, capability)
    return value
  } catch (thrown) {
    if (!isLacking(thrown)) throw thrown
    if (isEvidence) capabilities.recordRefusal(scope, capability, askedAt)
    return otherwise()
  }
}
