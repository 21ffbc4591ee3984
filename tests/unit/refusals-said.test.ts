/** Every rejected command is reported where it was sent: no part of the window drops the result. */
import { globSync, readFileSync } from 'node:fs'
import ts from 'typescript'
import { expect, it } from 'vitest'

/** Rejections that are not reported, with the reason. Each place begins with a path suffix of its file. */
const UNREPORTED: readonly { readonly why: string; readonly places: readonly string[] }[] = [
  {
    why: 'The window tells the host of itself: nobody has asked for it, and nothing that a person sees hangs on it.',
    places: [
      'App.svelte app.showUnread',
      'menu-sync.ts menu.show',
      'snapshot-store.ts window.storeSnapshot',
      'sync-manager.svelte.ts network.changed',
      'sync-manager.svelte.ts window.activity',
    ],
  },
  {
    why: 'What was searched is searched all the same.',
    places: ['saved-searches-manager.svelte.ts recentSearch.add'],
  },
  {
    why: 'Suggestions and counts beside what a person does: without them it is done all the same.',
    places: [
      'RecipientsField.svelte person.suggest',
      'SearchBar.svelte person.suggest',
      'contact-editor.svelte.ts contact.ofAddress',
      'assignees-manager.svelte.ts assignee.list',
      'assignees-manager.svelte.ts assignee.unread',
      'folder-counts-manager.svelte.ts thread.countByFolder',
      'commands.ts person.suggest',
      'insert-canned-reply.ts contact.ofAddress',
      'offer-lists.ts person.suggest',
      // Nothing is dragged any more.
      'attachments-manager.svelte.ts fileDrag.cancel',
      'snippets-manager.svelte.ts template.refresh',
      'labels-manager.svelte.ts label.usage',
      'rules-manager.svelte.ts rule.preview',
      'senders-manager.ts sender.authentication',
      'senders-manager.ts sender.isNew',
      'unsubscribe-manager.svelte.ts unsubscribe.of',
      'deliveries-manager.svelte.ts delivery.ofThread',
      'open-composer.svelte.ts draft.elsewhere',
      'suppressions-manager.svelte.ts suppression.ofAddresses',
      'suppressions-manager.svelte.ts suppression.refresh',
      'displayed-draft.svelte.ts suppression.ofAddresses',
      // The message a draft replies to, shown next to it.
      'displayed-draft.svelte.ts thread.open',
    ],
  },
  {
    why: 'The old content stays, and the next event loads it again. A list of mail has its own message.',
    places: [
      'ArrivalSettings.svelte feed.state',
      'AttachmentList.svelte attachment.list',
      'DeliveryLine.svelte feed.state',
      'NetworkSettings.svelte network.proxy',
      'PreviewDialog.svelte attachment.list',
      'SpellingSettings.svelte spelling.state',
      'today.ts thread.list',
      'account-manager.svelte.ts inbox.list',
      'agents-manager.svelte.ts agent.get',
      'app-links-manager.ts inbox.list',
      'assistants-manager.svelte.ts assistant.proposals',
      'current-inbox.svelte.ts thread.list',
      'displayed-mail.svelte.ts senderChoice.of',
      'inbox-tabs-manager.svelte.ts inboxTab.list',
      'large-changes-manager.svelte.ts change.underWay',
      'mail-display.svelte.ts senderChoice.list',
      'mailboxes-manager.svelte.ts label.list',
      // A composer from the last session: its draft is listed, or was sent.
      'open-composers.svelte.ts draft.open',
      'person-manager.svelte.ts person.get',
      'preferences-manager.svelte.ts preferences.get',
      'problems-manager.svelte.ts problem.list',
      'saved-searches-manager.svelte.ts recentSearch.list',
      'host-managers.svelte.ts run.state',
      'saved-searches-manager.svelte.ts savedSearch.list',
      'snippets-manager.svelte.ts snippet.list',
      'snippets-manager.svelte.ts template.list',
      'rules-manager.svelte.ts rule.list',
      'sync-manager.svelte.ts sync.status',
      'host-managers.svelte.ts update.state',
      // In a conflict, which is already reported.
      'writing-manager.svelte.ts draft.open',
    ],
  },
  {
    why: 'What is done next meets the same refusal, and says it.',
    places: [
      'app-links-manager.ts link.take',
      'app-links-manager.ts thread.open',
      'commands.ts backup.state',
      'displayed-mail.svelte.ts picture.located',
      'draft-file-transfer.ts draft.readFile',
      'printing.ts picture.read',
      'host-managers.svelte.ts network.mayAskLogin',
    ],
  },
]

/** A component's script, and the markup expressions that drop a promise. */
const sourcesOf = (file: string): readonly string[] => {
  const text = readFileSync(file, 'utf8')
  if (!file.endsWith('.svelte')) return [text]
  const scripts = [...text.matchAll(/<script[^>]*>([\s\S]*?)<\/script>/g)].map(([, script = '']) => script)
  const markup = text.replaceAll(/<(script|style)[^>]*>[\s\S]*?<\/\1>/g, '')
  const dropped = [...markup.matchAll(/\bvoid\s+[\w.]+\.call\([^{}]*(?:\{[^{}]*\})?[^{}]*/g)].map(([part]) => part)
  return [...scripts, ...dropped]
}

/** True if the code uses more of a result than `ok` and `data`. */
const looksAtRefusal = (scope: ts.Node, name: string): boolean => {
  let isSeen = false
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) && node.text === name) {
      const { parent } = node
      const isNamed = (ts.isVariableDeclaration(parent) || ts.isParameter(parent)) && parent.name === node
      const isPart = ts.isPropertyAccessExpression(parent)
      isSeen ||= !isNamed && (!isPart || (parent.expression === node && parent.name.text === 'error'))
    }
    ts.forEachChild(node, visit)
  }
  visit(scope)
  return isSeen
}

/** True if a call's error is dropped: the result is unused, or only its data is used. */
const dropsError = (call: ts.CallExpression): boolean => {
  let node: ts.Node = call
  while (
    ts.isAwaitExpression(node.parent) ||
    ts.isParenthesizedExpression(node.parent) ||
    (ts.isConditionalExpression(node.parent) && node.parent.condition !== node)
  ) {
    node = node.parent
  }
  const { parent } = node
  if (ts.isVoidExpression(parent) || ts.isExpressionStatement(parent)) return true
  if (ts.isPropertyAccessExpression(parent) && parent.name.text === 'then' && ts.isCallExpression(parent.parent)) {
    const [then] = parent.parent.arguments
    if (then === undefined || !ts.isArrowFunction(then)) return false
    const [answer] = then.parameters
    return answer === undefined || (ts.isIdentifier(answer.name) && !looksAtRefusal(then.body, answer.name.text))
  }
  if (ts.isVariableDeclaration(parent) && ts.isIdentifier(parent.name)) {
    const scope = ts.findAncestor(parent, (each) => ts.isFunctionLike(each) || ts.isSourceFile(each))
    return scope !== undefined && !looksAtRefusal(scope, parent.name.text)
  }
  return false
}

/** Commands of a source whose errors are swallowed. */
const swallowedIn = (source: string): readonly string[] => {
  const names: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
      const [command] = node.arguments
      const isCommand = node.expression.name.text === 'call' && command !== undefined && ts.isStringLiteral(command)
      if (isCommand && dropsError(node)) names.push(command.text)
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true))
  return names
}

const files = globSync('src/renderer/**/*.{ts,svelte}').filter((file) => !/kernel[\\/]unified/.test(file))
const nameOf = (file: string): string => file.split(/[\\/]/).at(-1) ?? file

it('reports each rejected command where the window sends it', () => {
  const found = files.flatMap((file) =>
    sourcesOf(file).flatMap((source) => swallowedIn(source).map((name) => `${nameOf(file)} ${name}`)),
  )
  const expected = UNREPORTED.flatMap(({ places }) => places)
  expect([...new Set(found)].toSorted()).toEqual(expected.toSorted())
})
