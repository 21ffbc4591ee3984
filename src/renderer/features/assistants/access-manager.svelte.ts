import { NO_ASSISTANT_ACCESS, type AssistantAccess } from '../../../shared/assistants.ts'
import { FOLDERS, type Folder } from '../../../shared/model.ts'
import type { Problem, Result } from '../../../shared/result.ts'
import type { Backend } from '../../kernel/backend.ts'
import type { ToastManager } from '../../kernel/toast-manager.svelte.ts'
import { coalesceCalls } from '../../ui/coalesce-calls.ts'

export type AccessList = AssistantAccess['lists'][number]
type AccessChange = (access: AssistantAccess) => AssistantAccess

/** Folders offered together. The others seldom hold mail that assistants should read. */
export const USUAL_FOLDERS: readonly Folder[] = FOLDERS.filter((folder) => folder !== 'spam' && folder !== 'trash')

const withFolders =
  (inboxId: string, folders: readonly Folder[], isOn: boolean): AccessChange =>
  (access) => ({
    ...access,
    folders: [
      ...access.folders.filter((each) => each.inboxId !== inboxId || !folders.includes(each.folder)),
      ...(isOn ? folders.map((folder) => ({ inboxId, folder })) : []),
    ],
  })

const withList =
  (list: AccessList, isOn: boolean): AccessChange =>
  (access) => ({ ...access, lists: [...access.lists.filter((each) => each !== list), ...(isOn ? [list] : [])] })

/** Assistants' access. Each switch is saved at once. */
export class AccessManager {
  readonly #backend: Pick<Backend, 'call'>
  readonly #toasts: Pick<ToastManager, 'problem'>
  #saved = $state.raw<AssistantAccess | null>(null)
  /** Unsaved changes, oldest first. */
  #pendingChanges = $state.raw<readonly AccessChange[]>([])
  problem = $state.raw<Problem | null>(null)
  #isSaving = false

  constructor(backend: Pick<Backend, 'call' | 'on'>, toasts: Pick<ToastManager, 'problem'>) {
    this.#backend = backend
    this.#toasts = toasts
    backend.on(
      'assistants.changed',
      coalesceCalls(() => void this.load()),
    )
  }

  get isKnown(): boolean {
    return this.#saved !== null
  }

  /** The saved access with the unsaved changes. */
  get #shown(): AssistantAccess {
    return this.#pendingChanges.reduce((access, turn) => turn(access), this.#saved ?? NO_ASSISTANT_ACCESS)
  }

  hasFolder(inboxId: string, folder: Folder): boolean {
    return this.#shown.folders.some((each) => each.inboxId === inboxId && each.folder === folder)
  }

  hasList(list: AccessList): boolean {
    return this.#shown.lists.includes(list)
  }

  async load(): Promise<void> {
    // Saving reads the access anyway.
    if (!this.#isSaving) await this.#read()
  }

  setFolders(inboxId: string, folders: readonly Folder[], isOn: boolean): Promise<void> {
    return this.#applyChange(withFolders(inboxId, folders, isOn))
  }

  setList(list: AccessList, isOn: boolean): Promise<void> {
    return this.#applyChange(withList(list, isOn))
  }

  async #read(): Promise<Result<AssistantAccess>> {
    const result = await this.#backend.call('assistant.access', {})
    this.problem = result.ok ? null : result.error
    if (result.ok) this.#saved = result.data
    return result
  }

  async #applyChange(turn: AccessChange): Promise<void> {
    this.#pendingChanges = [...this.#pendingChanges, turn]
    if (this.#isSaving) return
    this.#isSaving = true
    while (this.#pendingChanges.length > 0) await this.#save(this.#pendingChanges)
    this.#isSaving = false
  }

  /** Saves the changes so far. On failure they are reverted; later ones stay. */
  async #save(turns: readonly AccessChange[]): Promise<void> {
    // Another window may have changed the access in the meantime.
    const read = await this.#read()
    const wanted = read.ok ? turns.reduce((access, turn) => turn(access), read.data) : null
    const result =
      wanted === null
        ? read
        : await this.#backend.call('assistant.setAccess', { folders: [...wanted.folders], lists: [...wanted.lists] })
    if (!result.ok) this.#toasts.problem(result.error)
    else if (wanted !== null) this.#saved = wanted
    this.#pendingChanges = this.#pendingChanges.slice(turns.length)
  }
}
