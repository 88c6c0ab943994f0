/** The files in `deploy` cannot be run here; what they name has to exist all the same. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { readConfig } from './config.ts'

const ROOT = join(import.meta.dirname, '../../..')
const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const all = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found]) => found!)

const unit = textOf('deploy/gatehouse.service')
const image = textOf('deploy/Dockerfile')
const compose = textOf('deploy/compose.yaml')

/** Names of all environment variables the server reads. */
function settings(): Set<string> {
  const names = new Set<string>()
  readConfig(new Proxy({}, { get: (_, name) => void names.add(String(name)) }))
  return names
}

test('each setting is one the server reads', () => {
  const [, server = ''] = /^ {2}server:\n((?: {4}.*\n)+)/m.exec(compose) ?? []
  const set = {
    unit: all(unit, /^Environment=(\w+)=/gm),
    image: all(image, /^ENV (\w+)=/gm),
    compose: all(server, /^ {6}([A-Z_]+):/gm),
  }
  expect(set).toMatchObject({ unit: ['DATA_DIR'], image: ['DATA_DIR'] })
  expect(set.compose).toContain('DATABASE_URL_FILE')
  const known = settings()
  expect(
    Object.values(set)
      .flat()
      .filter((name) => !known.has(name)),
  ).toEqual([])
})

test('each file of the repository that is named exists', () => {
  const docs = ['backup', 'deployment', 'https'].map((name) => textOf(`docs/operations/${name}.md`))
  const named = [unit, image, compose, ...docs].flatMap((text) =>
    all(text, /((?:apps|scripts|deploy|docs)\/[\w./-]+\.(?:ts|mjs|md|service|yaml|conf|sh))/g),
  )
  expect(named).toContain('apps/server/src/main.ts')
  expect(named).toContain('apps/server/src/backup/main.ts')
  expect(named).toContain('deploy/nginx.conf')
  expect(
    [...named, 'deploy/Dockerfile', 'deploy/Caddyfile', 'deploy/mosquitto.conf'].filter((path) => !existsSync(join(ROOT, path))),
  ).toEqual([])
})

describe('compose.yaml', () => {
  test('mounts each secret its services are told to read', () => {
    const read = [...all(compose, /_FILE: \/run\/secrets\/(\w+)/g), ...all(textOf('deploy/postgres-role.sh'), /\/run\/secrets\/(\w+)/g)]
    const [, defined = ''] = /^secrets:\n((?: .*\n)+)/m.exec(compose) ?? []
    expect(read.toSorted()).toEqual(all(defined, /^ {2}(\w+):/gm).toSorted())
    for (const name of read) expect(textOf('docs/operations/deployment.md')).toContain(`secrets/${name}`)
  })

  test('gives the server a role that is no superuser', () => {
    expect(compose).not.toContain('POSTGRES_USER')
    expect(compose).toContain('./postgres-role.sh:/docker-entrypoint-initdb.d/')
    expect(textOf('deploy/postgres-role.sh')).toContain('CREATE ROLE gatehouse LOGIN PASSWORD')
    expect(textOf('docs/operations/deployment.md')).toContain('postgres://gatehouse:$password@postgres:5432/gatehouse')
  })

  test('runs Mosquitto with the lines its page asks for', () => {
    const [, page = ''] = /```\n(listener 1883\n[^`]*)```/.exec(textOf('docs/operations/mosquitto.md')) ?? []
    const linesOf = (text: string) => text.split('\n').filter((line) => line !== '' && !/^#|^plugin/.test(line))
    expect(linesOf(page).length).toBeGreaterThan(5)
    expect(linesOf(textOf('deploy/mosquitto.conf'))).toEqual(linesOf(page))
  })
})

test.each([
  ['nginx', 'nginx.conf'],
  ['caddy', 'Caddyfile'],
])('the page about https shows the configuration of %s to the letter', (language, file) => {
  expect(textOf('docs/operations/https.md')).toContain(`\n\`\`\`${language}\n${textOf(`deploy/${file}`)}\`\`\`\n`)
})

test('the page about https names settings the server reads', () => {
  const known = settings()
  const named = all(textOf('docs/operations/https.md'), /`?\b((?:TLS|TRUST|PROXY|MQTT|HOST|PORT)(?:_[A-Z_]+)?)(?:=|`)/g)
  expect(named).toContain('PROXY_CERT_FILE')
  expect([...new Set(named)].filter((name) => !known.has(name))).toEqual([])
})
