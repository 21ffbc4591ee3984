import { expect, it } from 'vitest'
import { allStrings, stringsOf } from '../../../scripts/strings.ts'

const textsOf = (file: string, source: string): readonly string[] => stringsOf(file, source).map(({ text }) => text)

it('finds component strings in text, attributes and code', () => {
  const source = `<script lang="ts">
  import Button from '../../ui/Button.svelte'
  const words = isLast ? 'Nothing is left' : \`\${count} are left\`
  const kind: 'some kind' = 'kind'
</script>

<section aria-label="Accounts" class="wide and calm" {hidden}>
  {#if count > 0}
    <p>Kept {count}
      messages</p>
  {:else}
    <Button tone="primary" label={isBusy ? 'Please wait' : undefined} onclick={() => say('Deleted for good')}>Delete</Button>
  {/if}
</section>

<style>
  p { color: red; }
</style>`
  expect(stringsOf('Any.svelte', source)).toEqual([
    { line: 3, text: 'Nothing is left' },
    { line: 3, text: '{…} are left' },
    { line: 7, text: 'Accounts' },
    { line: 9, text: 'Kept {…} messages' },
    { line: 12, text: 'Please wait' },
    { line: 12, text: 'Deleted for good' },
    { line: 12, text: 'Delete' },
  ])
})

it('finds strings in code, but no names, types, queries or styles', () => {
  const source = `import { a } from 'some module'
const read = db.prepare('SELECT a FROM b WHERE c')
const log = logLine\`sync took \${ms} ms\`
type Tone = 'plain' | 'very loud'
const css = 'padding: 0 4px'
export const problem = (name: string) => fail('not-found', \`“\${name}” is not on this computer.\`)
export const label = 'Archive'`
  expect(textsOf('any.ts', source)).toEqual(['“{…}” is not on this computer.', 'Archive'])
})

it('finds strings in every part, from the window to the command line', () => {
  const found = allStrings(['onboarding/', 'invalid-input-problem', 'menu-bar', 'browser/main', 'cli/run-command'])
  const rooms = new Set(found.map(({ file }) => file.split('/')[1]))
  expect([...rooms].toSorted()).toEqual(['browser', 'cli', 'main', 'renderer', 'shared'])
  expect(found.some(({ text }) => text === 'Welcome to Linnet')).toBe(true)
})
