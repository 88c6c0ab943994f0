/** The page of a capture camera: its files, served like those of the screen. */
import { readdirSync } from 'node:fs'
import { extname, join } from 'node:path'
import type { FastifyInstance } from 'fastify'
import { LANGUAGES, type Language } from '@gatehouse/contract'
import { CONTENT_TYPES, contentOf, serveAsset, serveHtml, servePackages } from '../http/assets.ts'
import chinese from './i18n/zh-CN.json' with { type: 'json' }
import taiwanese from './i18n/zh-TW.json' with { type: 'json' }
import english from './i18n/en.json' with { type: 'json' }

const FOLDER = join(import.meta.dirname, 'page')
const SOURCES = join(import.meta.dirname, '..')
const PAGE = 'index.html'
const PACKAGES = { preact: '/packages/preact.js', 'preact/hooks': '/packages/preact-hooks.js', htm: '/packages/htm.js' }
/** Files of the screen and of the console that the page uses, and their addresses here. */
const SHARED = {
  'screen/camera.ts': '/camera.ts',
  'screen/key.ts': '/key.ts',
  'screen/texts.ts': '/texts.ts',
  'screen/base.css': '/base.css',
  'screen/icon.svg': '/icon.svg',
  'console/pages/kit/html.ts': '/html.ts',
}
const MODULES = { ...PACKAGES, ...Object.fromEntries(Object.entries(SHARED).map(([file, address]) => [`../../${file}`, address])) }

export const WORDS: Readonly<Record<Language, Readonly<Record<string, string>>>> = {
  'zh-CN': chinese,
  'zh-TW': taiwanese,
  en: english,
}

/** Serve the page at `/`, its files beside it and its words at `/words/{language}.json`. */
export function serveCapturePage(server: FastifyInstance): void {
  for (const name of readdirSync(FOLDER))
    if (extname(name) in CONTENT_TYPES && name !== PAGE) serveAsset(server, `/page/${name}`, contentOf(join(FOLDER, name), MODULES))
  for (const [file, address] of Object.entries(SHARED)) serveAsset(server, address, contentOf(join(SOURCES, file), MODULES))
  servePackages(server, PACKAGES)
  for (const language of LANGUAGES) serveAsset(server, `/words/${language}.json`, JSON.stringify(WORDS[language]))
  serveHtml(server, '/', contentOf(join(FOLDER, PAGE), {}))
}
