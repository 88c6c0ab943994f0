/** Upgrade of the terminal by a package, and the keys of accepted packages. */
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import type { DeviceState } from '../device.ts'
import { call, callWords, upload } from './api.ts'
import { Button } from './kit/button.ts'
import { Card, Note, Progress } from './kit/card.ts'
import { ConfirmedButton } from './kit/confirmed-button.ts'
import { FileChoice } from './kit/file-button.ts'
import { html } from './kit/html.ts'
import { announce } from './kit/notice.ts'
import { Trouble, useTask } from './kit/task.ts'
import { say } from './words.ts'

interface UpgradeCardProps {
  device: Pick<DeviceState, 'canUpgrade' | 'upgradeKeys'>
  reload: () => Promise<void>
}

export function UpgradeCard({ device: { canUpgrade, upgradeKeys }, reload }: UpgradeCardProps): VNode {
  const content = () => {
    if (!canUpgrade || upgradeKeys === null) return html`<${Note}>${say('why.noInstaller')}<//>`
    return upgradeKeys.length === 0 ? html`<${KeyChoice} reload=${reload} />` : html`<${PackageChoice} keys=${upgradeKeys} />`
  }
  return html`<${Card} title=${say('upgrade')}>${content()}<//>`
}

/** @param keys fingerprints of the keys whose packages are accepted */
function PackageChoice({ keys }: { keys: readonly string[] }): VNode {
  const [files, setFiles] = useState<readonly File[]>([])
  /** Part of the package that has been sent. */
  const [part, setPart] = useState<number | null>(null)
  const { isBusy, trouble, run } = useTask()
  const upgrade = async () => {
    const [file] = files
    if (!file) return
    try {
      await call('POST', 'device/upgrade', { upload: await upload(file, setPart) })
    } finally {
      setPart(null)
    }
  }
  return html`
    <${Note}>${say('upgradePackageHint')}<//>
    <${Note}>${say('upgradeKeyHint', { key: keys.join(', ') })}<//>
    <label for="package">${say('choosePackage')}</label>
    <${FileChoice} id="package" accept=".tar" files=${files} onFiles=${setFiles} inactive=${isBusy} />
    <${Trouble} words=${trouble} />
    ${part !== null && html`<${Progress} part=${part} label=${say('progress')} />`}
    <${Button} look="primary" inactive=${isBusy || files.length === 0} onPress=${() => void run(upgrade)}>${say('startUpgrade')}<//>
  `
}

/** Choice of the first key, if none has been set yet. */
function KeyChoice({ reload }: { reload: () => Promise<void> }): VNode {
  const [files, setFiles] = useState<readonly File[]>([])
  const trust = async (password: string) => {
    const words = await callWords('POST', 'device/upgradeKey', { password, key: (await files[0]?.text()) ?? '' })
    await reload()
    announce(words)
  }
  return html`
    <${Note}>${say('noUpgradeKeyHint')}<//>
    <label for="upgrade-key">${say('chooseUpgradeKey')}</label>
    <${FileChoice} id="upgrade-key" accept=".pem,.pub" files=${files} onFiles=${setFiles} />
    <${ConfirmedButton}
      look="primary"
      words=${say('trustUpgradeKey')}
      warning=${say('trustUpgradeKeyLost')}
      inactive=${files.length === 0}
      onConfirm=${trust}
    />
  `
}
