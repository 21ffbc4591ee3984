import type { DomainHandlers } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const createPictureHandlers = ({
  current,
}: AccountAccess): DomainHandlers<'picture'> & DomainHandlers<'senderChoice'> => ({
  'picture.read': async ({ of, url, isRetry }) => {
    const { type, content } = await current().pictures.read(of, url, isRetry)
    return { type, content: Buffer.from(content).toString('base64') }
  },
  'picture.located': ({ of }) => current().pictures.located(of),
  'senderChoice.of': ({ of }) => current().pictures.policyOf(of),
  'senderChoice.list': () => current().senderChoices.all(),
  'senderChoice.set': ({ isOn, ...choice }) => current().senderChoices.set(choice, isOn),
})
