/**
 * Files of the pages for browsers, prepared once at the start: TypeScript is stripped of its types, packages are named by their addresses.
 */
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import { LANGUAGES, languageOf } from '@gatehouse/contract'

export const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.ts': 'text/javascript; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
}

const POLICY = [
  "default-src 'self'",
  "img-src 'self' blob: data:",
  "media-src 'self' blob:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
]

export const PAGE_HEADERS = {
  'content-security-policy': POLICY.join('; '),
  'permissions-policy': 'camera=(self), microphone=(), geolocation=()',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-cache',
}

/** Addresses of modules, by the name of the package they are imported by. */
export type PackageAddresses = Readonly<Record<string, string>>

/** Serve a text at an address, with the content type of the address and an ETag for the browser's cache. */
export function serveAsset(server: FastifyInstance, address: string, body: string): void {
  const type = CONTENT_TYPES[extname(address)]!
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
  server.get(address, { config: { reach: 'everybody' } }, async (request, reply) => {
    reply.headers({ ...PAGE_HEADERS, etag: tag })
    if (request.headers['if-none-match'] === tag) return reply.code(304).send()
    return reply.type(type).send(body)
  })
}

/** Serve a page in the language the browser requests, as long as nobody has chosen another on the page. */
export function serveHtml(server: FastifyInstance, address: string, page: string): void {
  const inLanguage = Object.fromEntries(LANGUAGES.map((language) => [language, page.replace('lang="en"', `lang="${language}"`)]))
  server.get(address, { config: { reach: 'everybody' } }, async (request, reply) =>
    reply
      .headers({ ...PAGE_HEADERS, vary: 'accept-language' })
      .type(CONTENT_TYPES['.html']!)
      .send(inLanguage[languageOf(request.headers['accept-language'])]),
  )
}

/** Serve the modules of packages at their addresses, for the pages that import them. */
export function servePackages(server: FastifyInstance, packages: PackageAddresses): void {
  for (const [specifier, address] of Object.entries(packages))
    serveAsset(server, address, contentOf(fileURLToPath(import.meta.resolve(specifier)), packages))
}

/** Return a file of a page as it is served. Browsers do not resolve package names, so imports name addresses instead. */
export function contentOf(path: string, packages: PackageAddresses): string {
  const text = readFileSync(path, 'utf8')
  const code = path.endsWith('.ts') ? stripTypeScriptTypes(text) : text
  return Object.entries(packages).reduce(
    (changed, [specifier, address]) =>
      changed.replaceAll(`from '${specifier}'`, `from '${address}'`).replaceAll(`from"${specifier}"`, `from"${address}"`),
    code,
  )
}
