import type { HandlersOf } from '../../shared/contract.ts'
import type { AccountAccess } from '../account-access.ts'

export const backupHandlers = ({ current }: AccountAccess): HandlersOf<'backup'> => ({
  'backup.state': () => current().backups.state(),
  'backup.now': ({ folder }) => current().backups.make(folder),
  'backup.cancel': () => {
    current().backups.cancel()
    return null
  },
  'backup.setSchedule': (settings) => {
    current().backups.set(settings)
    return null
  },
})
