// @ts-check
// Page of the local mail platform. Reads /_page and inserts only text, so mail never becomes markup.

/**
 * @typedef {{ id: string, direction: 'inbound' | 'outbound', from: string, to: string[], subject: string | null,
 *   time: number, has_attachment: boolean, last_event: string | null }} Row
 * @typedef {{ inboxes: { id: string, address: string }[], messages: Row[], has_more: boolean }} List
 * @typedef {Row & { cc: string[], bcc: string[], reply_to: string[], delivered_to: string[], has_html: boolean,
 *   remote_images: number, text: string | null, headers: [string, string][], size: number,
 *   attachments: { id: string, filename: string | null, content_type: string, size: number }[],
 *   thread: Thread | null }} Message
 * @typedef {{ id: string, inbox_id: string, folder: string, assignee: string | null,
 *   labels: { id: string, name: string, is_on: boolean }[] }} Thread
 * @typedef {{ id: string, type: string, status: string, time: number, next_attempt_at: number | null, payload: string,
 *   attempts: { code: number, response: string, time: number }[] }} WebhookEvent
 * @typedef {{ id: string, endpoint: string, status: string, types: string[] | null, events: WebhookEvent[] }} Webhook
 */

const REFRESH_MS = 2000
const PAGE = 100
/** Maximum bytes of a displayed source. The service cuts it there. */
const SHOWN_SOURCE = 1024 * 1024
const CONNECT = 'connect'
const WEBHOOKS = 'webhooks'
const FOLDERS = ['inbox', 'archive', 'spam', 'trash']

/** Element that the page must have. @param {string} id */
const part = (id) => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`The page has no ${id}.`)
  return found
}

/**
 * @param {string} name
 * @param {Record<string, string>} attributes
 * @param {(Node | string)[]} children
 */
const element = (name, attributes = {}, ...children) => {
  const made = document.createElement(name)
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value)
  made.append(...children)
  return made
}

const list = part('messages')
const pane = part('message')
const status = part('status')
const more = part('more')
const inboxSelect = /** @type {HTMLSelectElement} */ (part('inbox'))
const directions = [...document.querySelectorAll('[data-direction]')].map((each) => /** @type {HTMLElement} */ (each))

let direction = ''
let limit = PAGE
let etag = ''
/** @type {Row[]} */
let rows = []
/** Unopened messages that arrived after the page was opened. @type {Set<string>} */
const unseen = new Set()
/** @type {Set<string> | null} */
let known = null
/** Number of the latest request. Responses to earlier ones are ignored. */
let asked = 0
let tab = 'html'
/** Who changes a thread: the dashboard or the agent. */
let actor = 'dashboard'
/** JSON of the webhooks on screen, which are only redrawn if it changes. */
let shownWebhooks = ''

const openId = () => decodeURIComponent(location.hash.slice(1))

/** @param {number} time */
const shortTime = (time) => {
  const date = new Date(time)
  const isToday = date.toDateString() === new Date().toDateString()
  if (isToday) return date.toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' })
  const isThisYear = date.getFullYear() === new Date().getFullYear()
  return date.toLocaleDateString([], { day: 'numeric', month: 'short', ...(isThisYear ? {} : { year: 'numeric' }) })
}

/** Name of a mailbox, or its address. @param {string} mailbox */
const nameOf = (mailbox) => {
  const end = mailbox.lastIndexOf(' <')
  return end < 1 ? mailbox : mailbox.slice(0, end).replace(/^"|"$/g, '').replace(/\\(.)/g, '$1')
}

/** @param {number} bytes */
const sizeOf = (bytes) =>
  bytes < 1024
    ? `${bytes} B`
    : bytes < 1024 ** 2
      ? `${Math.round(bytes / 1024)} KB`
      : `${(bytes / 1024 ** 2).toFixed(1)} MB`

/** @param {Row} row */
const rowElement = (row) => {
  const who =
    row.direction === 'inbound'
      ? [nameOf(row.from) || '(no sender)']
      : [element('span', { class: 'to' }, 'To '), row.to.map(nameOf).join(', ') || '(no recipient)']
  const marks = [row.has_attachment ? 'file' : '', row.last_event ?? ''].filter((mark) => mark !== '').join(', ')
  const link = element(
    'a',
    {
      href: `#${row.id}`,
      ...(unseen.has(row.id) ? { class: 'new' } : {}),
      ...(openId() === row.id ? { 'aria-current': 'true' } : {}),
    },
    element('span', { class: 'who' }, ...who),
    element('time', { datetime: new Date(row.time).toISOString() }, shortTime(row.time)),
    element('span', { class: 'subject' }, row.subject ?? '(no subject)'),
    element('span', { class: `mark ${row.last_event ?? ''}` }, marks),
  )
  return element('li', {}, link)
}

const drawList = () => {
  const focused = document.activeElement?.closest('#messages a')?.getAttribute('href')
  list.replaceChildren(...rows.map(rowElement))
  if (focused) linkTo(focused.slice(1))?.focus({ preventScroll: true })
  part('empty').hidden = rows.length > 0
  document.title = unseen.size > 0 ? `(${unseen.size}) Local mail` : 'Local mail'
}

/** @param {string} id @returns {HTMLElement | null} */
const linkTo = (id) => list.querySelector(`a[href="#${CSS.escape(id)}"]`)

/** @param {List} answer */
const takeList = (answer) => {
  const had = known
  known = new Set([...(had ?? []), ...answer.messages.map(({ id }) => id)])
  const came = had === null ? [] : answer.messages.filter(({ id }) => !had.has(id))
  // A filter or “Show older” also adds old messages. New ones are at least as recent as the newest row.
  const newest = Math.max(0, ...rows.map(({ time }) => time))
  for (const { id, time } of came) if (time >= newest && id !== openId()) unseen.add(id)
  rows = answer.messages
  more.hidden = !answer.has_more
  const options = [new Option('All inboxes', ''), ...answer.inboxes.map(({ id, address }) => new Option(address, id))]
  const chosen = inboxSelect.value
  inboxSelect.replaceChildren(...options)
  inboxSelect.value = options.some(({ value }) => value === chosen) ? chosen : ''
  inboxSelect.hidden = answer.inboxes.length < 2
  drawList()
  const event = rows.find(({ id }) => id === openId())?.last_event
  const shown = document.getElementById('last-event')
  if (event && shown) Object.assign(shown, { textContent: event, className: event })
}

const refresh = async () => {
  const turn = (asked += 1)
  const query = new URLSearchParams({ limit: String(limit) })
  if (direction !== '') query.set('direction', direction)
  if (inboxSelect.value !== '') query.set('inbox', inboxSelect.value)
  try {
    const headers = new Headers(etag === '' ? [] : [['if-none-match', etag]])
    const answer = await fetch(`/_page/messages?${query}`, { headers, cache: 'no-store' })
    if (turn !== asked) return
    if (answer.status !== 304) {
      if (!answer.ok) throw new Error(await answer.text())
      const body = /** @type {List} */ (await answer.json())
      if (turn !== asked) return
      etag = answer.headers.get('etag') ?? ''
      takeList(body)
    }
    status.textContent = ''
  } catch {
    if (turn === asked) status.textContent = 'The platform is not responding. Trying again…'
  }
}

/** @param {WebhookEvent} event */
const eventElement = (event) => {
  const next = event.next_attempt_at
  const attempts = event.attempts.map(({ code, response, time }) => {
    const result = code === 0 ? response : `${code} ${response}`
    return element('li', {}, `${new Date(time).toLocaleString()}: ${result}`)
  })
  return element(
    'details',
    { id: event.id },
    element(
      'summary',
      {},
      element('strong', {}, event.type),
      ' ',
      element('span', { class: event.status }, event.status),
      ' ',
      element('time', { datetime: new Date(event.time).toISOString() }, shortTime(event.time)),
    ),
    ...(next === null ? [] : [element('p', {}, `Next attempt: ${new Date(next).toLocaleString()}`)]),
    ...(attempts.length > 0 ? [element('ul', { 'aria-label': 'Attempts' }, ...attempts)] : []),
    element('pre', {}, event.payload),
  )
}

const drawWebhooks = async () => {
  const answer = await fetch('/_page/webhooks', { cache: 'no-store' })
  const text = await answer.text()
  if (!answer.ok || text === shownWebhooks) return
  shownWebhooks = text
  const { webhooks } = /** @type {{ webhooks: Webhook[] }} */ (JSON.parse(text))
  const open = new Set([...document.querySelectorAll('details[open]')].map(({ id }) => id))
  const sections = webhooks.flatMap(({ endpoint, status: state, types, events }) => [
    element('h3', {}, endpoint),
    element('p', {}, `${state}, ${types === null ? 'all events' : types.join(', ')}`),
    ...events.map(eventElement),
  ])
  const none = element('p', {}, 'No webhooks yet. Create one with POST /webhooks.')
  part('webhooks').replaceChildren(element('h2', {}, 'Webhooks'), ...(sections.length > 0 ? sections : [none]))
  for (const id of open) document.getElementById(id)?.setAttribute('open', '')
}

/** Refreshes regularly while the page is visible. */
const keepFresh = async () => {
  if (!document.hidden) await refresh()
  if (!document.hidden && openId() === WEBHOOKS) await drawWebhooks().catch(() => undefined)
  setTimeout(() => void keepFresh(), REFRESH_MS)
}

const filterChanged = () => {
  limit = PAGE
  etag = ''
  rows = []
  known = null
  void refresh()
}

/** @param {Message} message @param {string} name */
const contentOf = (message, name) => {
  const path = `/_page/messages/${encodeURIComponent(message.id)}`
  if (name === 'html') {
    const sandbox = 'allow-popups allow-popups-to-escape-sandbox'
    const count = message.remote_images
    return [
      ...(count > 0
        ? [element('p', { class: 'note' }, `${count} remote ${count === 1 ? 'image is' : 'images are'} not loaded.`)]
        : []),
      element('iframe', { sandbox, title: 'The message’s HTML', src: `${path}/html` }),
    ]
  }
  if (name === 'text') return [element('pre', {}, message.text ?? '')]
  if (name === 'headers') {
    const lines = message.headers.flatMap(([key, value]) => [element('dt', {}, key), element('dd', {}, value)])
    return [element('dl', { class: 'headers' }, ...lines)]
  }
  const source = element('pre', {}, 'Loading…')
  void fetch(`${path}/source`)
    .then((answer) => answer.text())
    .catch(() => 'The platform is not responding.')
    .then((text) => {
      source.textContent = text
      if (message.size > SHOWN_SOURCE) source.append('\n… Download the message to see the rest.')
    })
  return [source]
}

/**
 * Changes a thread as the dashboard or the agent, then shows it again.
 * @param {string} method @param {string} path below `/_page/as/…` @param {object} body
 */
const act = async (method, path, body) => {
  const headers = { 'content-type': 'application/json' }
  const answer = await fetch(`/_page/as/${actor}${path}`, { method, headers, body: JSON.stringify(body) })
  if (!answer.ok) status.textContent = /** @type {{ message: string }} */ (await answer.json()).message
  const focused = document.activeElement?.getAttribute('aria-label') ?? ''
  await openFromAddress()
  const again = pane.querySelector(`[aria-label="${CSS.escape(focused)}"]`)
  if (again instanceof HTMLElement) again.focus()
}

/** @param {string} label @param {[string, string][]} options @param {string} value @param {(value: string) => void} change */
const selectElement = (label, options, value, change) => {
  const select = /** @type {HTMLSelectElement} */ (element('select', { 'aria-label': label }))
  select.append(...options.map(([id, text]) => new Option(text, id)))
  select.value = value
  select.addEventListener('change', () => change(select.value))
  return select
}

/** Controls that change a thread. @param {Message} message @param {Thread} thread */
const threadElement = ({ id: emailId }, { id, inbox_id: inboxId, folder, assignee, labels }) => {
  const path = `/inboxes/${inboxId}/threads/${id}`
  /** @type {[string, string][]} */
  const actors = [
    ['dashboard', 'As the dashboard'],
    ['agent', 'As the agent'],
  ]
  const as = selectElement('Act as', actors, actor, (value) => (actor = value))
  const folders = [...new Set([...FOLDERS, folder])].map((name) => /** @type {[string, string]} */ ([name, name]))
  const move = selectElement('Folder', folders, folder, (value) => void act('PATCH', path, { folder: value }))
  const names = labels.map(
    ({ id: label, name, is_on }) => /** @type {[string, string]} */ ([label, `${is_on ? 'Remove' : 'Add'} ${name}`]),
  )
  const label = selectElement('Labels', [['', 'Labels'], ...names], '', (value) => {
    const isOn = labels.some((each) => each.id === value && each.is_on)
    if (isOn) void act('DELETE', `${path}/labels/${value}`, {})
    else void act('POST', `${path}/labels`, { labels: [value] })
  })
  const input = /** @type {HTMLInputElement} */ (
    element('input', { 'aria-label': 'Assignee', placeholder: 'Assignee', value: assignee ?? '' })
  )
  input.addEventListener('change', () => {
    const address = input.value.trim()
    void act('PUT', `${path}/assignee`, { assignee_email: address === '' ? null : address })
  })
  const draft = element('button', { type: 'button' }, 'Draft a reply')
  const reply = { thread_id: id, reply_to_email_id: emailId, text: 'Thank you for your message.' }
  draft.addEventListener('click', () => void act('POST', `/inboxes/${inboxId}/drafts`, reply))
  return element('div', { class: 'actions', role: 'group', 'aria-label': 'Thread' }, as, move, label, input, draft)
}

/** @param {Message} message */
const drawMessage = (message) => {
  const tabs = [
    ...(message.has_html ? [['html', 'HTML']] : []),
    ...(message.text === null && message.has_html ? [] : [['text', 'Text']]),
    ['headers', 'Headers'],
    ['source', 'Source'],
  ]
  const panel = element('div', { role: 'tabpanel', tabindex: '0', 'aria-labelledby': 'tab-chosen' })
  const buttons = tabs.map(([name = '', label = '']) => {
    const button = element('button', { type: 'button', role: 'tab', 'data-tab': name }, label)
    button.addEventListener('click', () => choose(name))
    return button
  })
  /** @param {string} name */
  const choose = (name) => {
    tab = name
    for (const button of buttons) {
      const isChosen = button.dataset.tab === name
      button.setAttribute('aria-selected', String(isChosen))
      button.tabIndex = isChosen ? 0 : -1
      button.id = isChosen ? 'tab-chosen' : ''
    }
    panel.replaceChildren(...contentOf(message, name))
  }
  const tabList = element('div', { role: 'tablist', 'aria-label': 'Message view' }, ...buttons)
  tabList.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (step === undefined) return
    const at = buttons.findIndex((button) => button === document.activeElement)
    const next = buttons[(at + step + buttons.length) % buttons.length]
    next?.click()
    next?.focus()
  })
  /** @param {string} label @param {string[]} values */
  const line = (label, values) =>
    values.length > 0 ? [element('dt', {}, label), element('dd', {}, values.join(', '))] : []
  const hidden = message.delivered_to.filter(
    (address) => ![...message.to, ...message.cc].some((known) => known.includes(address)),
  )
  const facts = element(
    'dl',
    {},
    ...line('From', [message.from]),
    ...line('To', message.to),
    ...line('Cc', message.cc),
    ...line('Bcc', message.bcc),
    ...(message.direction === 'inbound' ? line('Delivered to', hidden) : []),
    ...line('Reply to', message.reply_to),
    ...line(message.direction === 'inbound' ? 'Received' : 'Sent', [new Date(message.time).toLocaleString()]),
  )
  if (message.last_event !== null) {
    const event = element('dd', { id: 'last-event', class: message.last_event }, message.last_event)
    facts.append(element('dt', {}, 'Last event'), event)
  }
  const files = message.attachments.map(({ id, filename, content_type, size }) => {
    const link = element('a', { href: `/_page/attachments/${id}`, download: filename ?? '' }, filename ?? content_type)
    link.append(' ', element('small', {}, sizeOf(size)))
    return element('li', {}, link)
  })
  const download = element(
    'a',
    { href: `/_page/messages/${encodeURIComponent(message.id)}/download`, download: `${message.id}.eml` },
    `Download .eml (${sizeOf(message.size)})`,
  )
  pane.replaceChildren(
    element(
      'div',
      { class: 'head' },
      element('h2', {}, message.subject ?? '(no subject)'),
      facts,
      ...(files.length > 0 ? [element('ul', { class: 'files', 'aria-label': 'Attachments' }, ...files)] : []),
      ...(message.thread === null ? [] : [threadElement(message, message.thread)]),
    ),
    element('div', { class: 'tabs' }, tabList, download),
    panel,
  )
  choose(tabs.some(([name]) => name === tab) ? tab : (tabs[0]?.[0] ?? 'text'))
}

const openFromAddress = async () => {
  const id = openId()
  const isMessage = id !== '' && id !== CONNECT && id !== WEBHOOKS
  document.body.classList.toggle('is-open', id !== '')
  part('connect').hidden = isMessage || id === WEBHOOKS
  part('webhooks').hidden = id !== WEBHOOKS
  pane.hidden = !isMessage
  pane.replaceChildren()
  unseen.delete(id)
  drawList()
  if (id === WEBHOOKS) await drawWebhooks().catch(() => undefined)
  if (!isMessage) return
  try {
    const answer = await fetch(`/_page/messages/${encodeURIComponent(id)}`)
    if (openId() !== id) return
    if (answer.ok) drawMessage(/** @type {Message} */ (await answer.json()))
    else pane.replaceChildren(element('p', { class: 'note' }, await answer.text()))
  } catch {
    pane.replaceChildren(element('p', { class: 'note' }, 'The platform is not responding.'))
  }
}

/** @param {number} step */
const goBy = (step) => {
  const at = rows.findIndex(({ id }) => id === openId())
  const next = rows[at < 0 ? 0 : at + step]
  if (next === undefined) return
  location.hash = next.id
  const link = linkTo(next.id)
  link?.scrollIntoView({ block: 'nearest' })
  link?.focus({ preventScroll: true })
}

document.addEventListener('keydown', (event) => {
  const target = /** @type {Element} */ (event.target)
  if (event.ctrlKey || event.metaKey || event.altKey || target.closest('select, input, textarea')) return
  const isInList = target.closest('#messages') !== null
  if (event.key === 'j' || (isInList && event.key === 'ArrowDown')) goBy(1)
  else if (event.key === 'k' || (isInList && event.key === 'ArrowUp')) goBy(-1)
  else if (event.key === 'Escape' && openId() !== '') {
    const link = linkTo(openId())
    location.hash = ''
    link?.focus()
  } else return
  event.preventDefault()
})
for (const button of directions) {
  button.addEventListener('click', () => {
    direction = button.dataset.direction ?? ''
    for (const each of directions) each.setAttribute('aria-pressed', String(each === button))
    filterChanged()
  })
}
inboxSelect.addEventListener('change', filterChanged)
more.addEventListener('click', () => {
  limit += PAGE
  void refresh()
})
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void refresh()
})
window.addEventListener('hashchange', () => void openFromAddress())
void openFromAddress()
void keepFresh()

export {}
