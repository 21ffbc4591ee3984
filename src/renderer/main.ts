import { mount } from 'svelte'
import type { Transport } from '../shared/contract.ts'
import App from './app/App.svelte'
import './app/tokens.css'
import './app/base.css'
import { createShell } from './kernel/session.ts'
import { createBrowserTransport, keptWindowKey } from './browser-transport.ts'
import { takeFirstAnswers, withFirstAnswers } from './first-answers.ts'

declare global {
  interface Window {
    /** Electron's preload supplies it; in a browser there is none. */
    readonly linnet?: Transport
  }
}

const { linnet } = window
const transport =
  linnet === undefined ? createBrowserTransport(keptWindowKey()) : withFirstAnswers(linnet, takeFirstAnswers(document))
const target = document.querySelector('#app')
if (target === null) throw new Error('index.html has the element')
mount(App, { target, props: { shell: createShell(transport) } })
