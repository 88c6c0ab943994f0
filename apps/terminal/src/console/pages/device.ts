/** Device management: facts about this terminal, upgrade, restart, defaults. */
import type { VNode } from 'preact'
import type { DeviceState } from '../device.ts'
import { call, callWords, wordsOf } from './api.ts'
import { Card, Facts, Note, type Fact } from './kit/card.ts'
import { ConfirmedButton } from './kit/confirmed-button.ts'
import { html } from './kit/html.ts'
import { loadedPage, type LoadedProps } from './kit/loaded-page.ts'
import { announce } from './kit/notice.ts'
import { go } from './navigation.ts'
import { UpgradeCard } from './upgrade-card.ts'
import { bytes, engineInWords, moment, number, say } from './words.ts'

type Device = DeviceState & { macs: string }

async function loadDevice(): Promise<Device> {
  const device = await call<DeviceState>('GET', 'device')
  const macs = await call<{ macs: { name: string; mac: string }[] }>('GET', 'device/mac').then(
    (found) => found.macs.map(({ name, mac }) => `${mac} (${name})`).join(', '),
    (error: unknown) => wordsOf(error),
  )
  return { ...device, macs }
}

function DeviceCards({ data: device, reload }: LoadedProps<Device>): VNode {
  return html`
    <${Card} title=${say('aboutDevice')}><${Facts} facts=${identityOf(device)} /><//>
    <${Card} title=${say('storage')}><${Facts} facts=${storageOf(device)} /><//>
    <${UpgradeCard} device=${device} reload=${reload} />
    <${RestartCard} canRestart=${device.canRestart} />
    <${Card} title=${say('defaults')}>
      <${Note}>${say('defaultsHint')}<//>
      <${ConfirmedButton} look="danger" words=${say('restoreDefaults')} warning=${say('defaultsLost')} onConfirm=${restoreDefaults} />
    <//>
  `
}

function identityOf({ name, code, link, macs, version, engine, machine, startedAt }: Device): Fact[] {
  return [
    [say('deviceName'), name ?? '–'],
    [say('deviceCode'), code],
    [say('link'), say(`link.${link}`)],
    [say('mac'), macs],
    [say('programVersion'), version],
    [say('engine'), engineInWords(engine)],
    [say('system'), `${machine.platform} ${machine.release}, ${machine.arch}, Node ${machine.node}`],
    [say('startedAt'), moment(startedAt)],
  ]
}

function storageOf({ disk, persons, localPeople, faces, records, pictures }: Device): Fact[] {
  return [
    [say('disk'), disk ? say('diskFree', { free: bytes(disk.free), total: bytes(disk.total) }) : '–'],
    [say('personsOfServer'), number(persons)],
    [say('personsHere'), number(localPeople)],
    [say('faces'), number(faces)],
    [say('recordsWaiting'), number(records)],
    [say('picturesWaiting'), number(pictures)],
  ]
}

function RestartCard({ canRestart }: { canRestart: boolean }): VNode {
  const restart = async (password: string) => announce(await callWords('POST', 'device/restart', { password }))
  return html`
    <${Card} title=${say('restart')}>
      <${Note}>${say(canRestart ? 'restartHint' : 'why.noRestart')}<//>
      ${canRestart && html`<${ConfirmedButton} words=${say('restart')} warning=${say('restartLost')} onConfirm=${restart} />`}
    <//>
  `
}

async function restoreDefaults(password: string): Promise<void> {
  const words = await callWords('POST', 'device/defaults', { password })
  go('login')
  announce(words)
}

export const DevicePage = loadedPage(loadDevice, DeviceCards)
