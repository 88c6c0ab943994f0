/** Device management: what this terminal is, upgrade, restart, defaults. */
import type { DeviceTold } from '../device.ts'
import { call, callWords, upload } from './api.ts'
import { askPassword, button, card, facts, fileChoice, h, note, tell, troublePlace, wordsOf, work } from './dom.ts'
import { bytes, engineInWords, moment, number, say } from './words.ts'

export async function showDevice(page: HTMLElement): Promise<void> {
  const told = await call<DeviceTold>('GET', 'device')
  const { engine, machine, disk } = told
  const macs = await call<{ macs: { name: string; mac: string }[] }>('GET', 'device/mac').then(
    ({ macs: found }) => found.map(({ name, mac }) => `${mac} (${name})`).join(', '),
    (error: unknown) => wordsOf(error),
  )
  page.append(
    card(
      say('aboutDevice'),
      facts([
        [say('deviceName'), told.name ?? '–'],
        [say('deviceCode'), told.code],
        [say('link'), say(`link.${told.link}`)],
        [say('mac'), macs],
        [say('programVersion'), told.version],
        [say('engine'), engineInWords(engine)],
        [say('system'), `${machine.platform} ${machine.release}, ${machine.arch}, Node ${machine.node}`],
        [say('startedAt'), moment(told.startedAt)],
      ]),
    ),
    card(
      say('storage'),
      facts([
        [say('disk'), disk ? say('diskFree', { free: bytes(disk.free), total: bytes(disk.total) }) : '–'],
        [say('personsOfServer'), number(told.persons)],
        [say('personsHere'), number(told.localPeople)],
        [say('faces'), number(told.faces)],
        [say('recordsWaiting'), number(told.records)],
        [say('picturesWaiting'), number(told.pictures)],
      ]),
    ),
    upgradeCard(told),
    restartCard(told.canRestart),
    card(
      say('defaults'),
      note(say('defaultsHint')),
      button(say('restoreDefaults'), () => askPassword(say('restoreDefaults'), say('defaultsLost'), say('restoreDefaults'), restore), {
        class: 'danger',
      }),
    ),
  )
}

function upgradeCard({ canUpgrade, upgradeKeys }: DeviceTold): HTMLElement {
  if (!canUpgrade || upgradeKeys === null) return card(say('upgrade'), note(say('why.noInstaller')))
  if (upgradeKeys.length === 0) return keyCard()
  const trouble = troublePlace()
  const progress = h('progress', { max: 1, value: 0, 'aria-label': say('progress'), hidden: true })
  const start = button(say('startUpgrade'), () => void work(start, trouble, run), { class: 'primary', disabled: true })
  const file = h('input', { type: 'file', accept: '.tar', id: 'package', onchange: () => (start.disabled = !file.files?.length) })

  async function run(): Promise<void> {
    const chosen = file.files?.[0]
    if (!chosen) return
    progress.hidden = false
    const id = await upload(chosen, (part) => (progress.value = part))
    await call('POST', 'device/upgrade', { upload: id })
  }

  return card(
    say('upgrade'),
    note(say('upgradePackageHint')),
    note(say('upgradeKeyHint', { key: upgradeKeys.join(', ') })),
    h('label', { for: 'package' }, say('choosePackage')),
    fileChoice(file),
    trouble,
    progress,
    h('div', { class: 'actions left' }, start),
  )
}

/** Where nobody has said yet whose packages are taken. */
function keyCard(): HTMLElement {
  const start = button(
    say('trustUpgradeKey'),
    () => askPassword(say('trustUpgradeKey'), say('trustUpgradeKeyLost'), say('trustUpgradeKey'), trust),
    {
      class: 'primary',
      disabled: true,
    },
  )
  const file = h('input', { type: 'file', accept: '.pem,.pub', id: 'upgrade-key', onchange: () => (start.disabled = !file.files?.length) })

  async function trust(password: string): Promise<void> {
    const words = await callWords('POST', 'device/upgradeKey', { password, key: (await file.files?.[0]?.text()) ?? '' })
    dispatchEvent(new PopStateEvent('popstate'))
    tell(words)
  }

  return card(
    say('upgrade'),
    note(say('noUpgradeKeyHint')),
    h('label', { for: 'upgrade-key' }, say('chooseUpgradeKey')),
    fileChoice(file),
    h('div', { class: 'actions left' }, start),
  )
}

function restartCard(canRestart: boolean): HTMLElement {
  if (!canRestart) return card(say('restart'), note(say('why.noRestart')))
  return card(
    say('restart'),
    note(say('restartHint')),
    button(say('restart'), () =>
      askPassword(say('restart'), say('restartLost'), say('restart'), async (password) =>
        tell(await callWords('POST', 'device/restart', { password })),
      ),
    ),
  )
}

async function restore(password: string): Promise<void> {
  const words = await callWords('POST', 'device/defaults', { password })
  history.pushState(null, '', '/console/login')
  dispatchEvent(new PopStateEvent('popstate'))
  tell(words)
}
