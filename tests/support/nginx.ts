/** A real nginx with the configuration of deploy/nginx.conf, in front of a server of this process, on free ports. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@gatehouse/server/platform/postgres/free-port'
import type { Certificate } from './certificates.ts'
import { until } from './until.ts'

const PROGRAMS = ['/usr/sbin/nginx', '/usr/local/sbin/nginx', '/usr/local/bin/nginx', '/opt/homebrew/bin/nginx']
const CONFIGURATION = join(import.meta.dirname, '../../deploy/nginx.conf')
/** Folders in which nginx keeps what does not fit in memory. */
const TEMPORARY = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

const program = PROGRAMS.find((path) => existsSync(path) && spawnSync(path, ['-v']).status === 0)

/** Why tests behind nginx are skipped; null where they run. */
export const nginxMissing: string | null = program === undefined ? 'nginx is not installed (Debian: apt-get install nginx)' : null

export interface Nginx {
  /** Over https. */
  url: string
  /** Over http, from which it redirects to https. */
  plainUrl: string
  /** Return the contents of its access log. */
  log(): string
  stop(): Promise<void>
}

/** Replace a text that occurs exactly `times` times. @throws Error where the configuration has changed since */
function replaced(text: string, before: string, after: string, times = 1): string {
  const parts = text.split(before)
  if (parts.length !== times + 1) throw new Error(`deploy/nginx.conf holds "${before}" ${parts.length - 1} times, not ${times}`)
  return parts.join(after)
}

/** @param server behind nginx, e.g. `http://127.0.0.1:8080`. @param certificate for the name `localhost` */
export async function startNginx({ server, certificate }: { server: string; certificate: Certificate }): Promise<Nginx> {
  if (program === undefined) throw new Error(nginxMissing!)
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'))
  const at = (name: string): string => join(folder, name)
  const [securePort, plainPort] = [await freePort(), await freePort()]
  let text = readFileSync(CONFIGURATION, 'utf8')
  text = replaced(text, 'gate.example;', 'localhost;', 2)
  text = replaced(text, 'listen 80;', `listen 127.0.0.1:${plainPort};`)
  text = replaced(text, 'listen 443 ssl;', `listen 127.0.0.1:${securePort} ssl;`)
  text = replaced(text, 'https://$host$request_uri', `https://$host:${securePort}$request_uri`)
  text = replaced(text, '/etc/letsencrypt/live/gate.example/fullchain.pem', certificate.certificateFile)
  text = replaced(text, '/etc/letsencrypt/live/gate.example/privkey.pem', certificate.keyFile)
  text = replaced(text, '/var/log/nginx/gatehouse.log', at('access.log'))
  text = replaced(text, 'http://127.0.0.1:8080', server)
  writeFileSync(at('gatehouse.conf'), text)
  const lines = [
    'daemon off;',
    'worker_processes 1;',
    // Started by root, it would switch to another account, which cannot write here.
    ...(process.getuid?.() === 0 ? [`user ${userInfo().username};`] : []),
    `pid ${at('nginx.pid')};`,
    'events {}',
    `http { ${TEMPORARY.map((name) => `${name}_temp_path ${at(name)};`).join(' ')} access_log off; include ${at('gatehouse.conf')}; }`,
  ]
  writeFileSync(at('nginx.conf'), `${lines.join('\n')}\n`)

  const child = spawn(program, ['-e', 'stderr', '-p', folder, '-c', at('nginx.conf')], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said += part))
  await until('nginx to listen', () => {
    if (child.exitCode !== null) throw new Error(`nginx ended: ${said}`)
    return answers(securePort)
  })
  return {
    url: `https://localhost:${securePort}`,
    plainUrl: `http://localhost:${plainPort}`,
    log: () => readFileSync(at('access.log'), 'utf8'),
    async stop() {
      const ended = once(child, 'exit')
      if (child.exitCode === null && child.kill('SIGTERM')) await ended
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => resolve(false))
  })
}
