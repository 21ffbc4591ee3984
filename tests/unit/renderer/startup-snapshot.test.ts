// @vitest-environment jsdom
import { expect, it } from 'vitest'
import { serializeSnapshot } from '../../../src/renderer/app/snapshot-store.ts'
import { isSnapshot } from '../../../src/shared/startup-snapshot.ts'

const HOSTILE = `</span><script>alert(1)</script><img src=x onerror=alert(1)> & &lt; "' \u2028 </body>`

it('draws the startup snapshot with all text escaped', () => {
  const window = document.createElement('div')
  const row = document.createElement('div')
  row.className = 'row'
  row.style.height = '68px'
  row.title = HOSTILE
  row.setAttribute('role', 'option')
  row.setAttribute('aria-selected', 'false')
  row.id = 'row-1'
  row.dataset.of = HOSTILE
  row.append(HOSTILE)
  window.append(row)
  const still = serializeSnapshot(window)
  expect(isSnapshot(still)).toBe(true)
  const page = new DOMParser().parseFromString(`<body>${still}</body>`, 'text/html')
  const [drawn] = page.body.children
  expect(page.body.children).toHaveLength(1)
  expect(drawn?.textContent).toBe(HOSTILE)
  expect([...(drawn?.attributes ?? [])].map(({ name }) => name)).toEqual(['class', 'style', 'aria-selected', 'data-of'])
  expect((drawn as HTMLElement).dataset.of).toBe(HOSTILE)
})

it('leaves out of the snapshot whatever loads, links, runs or embeds', () => {
  const window = document.createElement('div')
  window.innerHTML =
    '<a href="https://elsewhere.example" onclick="alert(1)">link</a><script>alert(1)</script><style>a{}</style>' +
    '<iframe srcdoc="x"></iframe><img src="x"><textarea>words</textarea><template>a</template><input value="typed" type="text">' +
    '<div style="background: url(x)" id="app">a</div><svg viewBox="0 0 1 1"><path d="M0 0"/><use href="#a"/></svg><!-- a -->'
  const still = serializeSnapshot(window)
  expect(still).toBe('<a>link</a><input type="text"><div>a</div><svg viewBox="0 0 1 1"><path d="M0 0"></path></svg>')
  expect(isSnapshot(still)).toBe(true)
})
