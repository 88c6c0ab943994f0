/** Screen saver: its picture, and the time after which it appears. */
import type { VNode } from 'preact'
import { useState } from 'preact/hooks'
import { call } from './api.ts'
import { Button } from './kit/button.ts'
import { Card, Note } from './kit/card.ts'
import { FileButton } from './kit/file-button.ts'
import { html } from './kit/html.ts'
import { loadedPage, type LoadedProps } from './kit/loaded-page.ts'
import { announce } from './kit/notice.ts'
import { Trouble, useTask } from './kit/task.ts'
import { SettingsForm, type Setting, type Settings } from './settings-form.ts'
import { say } from './words.ts'

interface ScreenSaver extends Settings {
  /** Whether a picture is set. */
  picture: boolean
}

const settings = (): Setting[] => [
  { name: 'screenSaverAfter', kind: 'number', min: 0, max: 86_400, step: 1, hint: say('screenSaverAfterHint') },
]

function ScreenSaverCards({ data }: LoadedProps<ScreenSaver>): VNode {
  return html`
    <${PictureCard} isThere=${data.picture} isOfServer=${data.sources['screenSaver'] === 'server'} />
    <${Card} title=${say('screenSaverTime')}><${SettingsForm} settings=${settings} shown=${data} path="settings" /><//>
  `
}

/** A new address each time, so that the old picture is not shown again. */
const newAddress = (): string => `/console/api/screenSaver/picture?at=${Date.now()}`

function PictureCard({ isThere, isOfServer }: { isThere: boolean; isOfServer: boolean }): VNode {
  const [address, setAddress] = useState(isThere ? newAddress() : null)
  const { isBusy, trouble, run } = useTask()
  const change = (ask: () => Promise<unknown>, next: () => string | null): void =>
    void run(async () => {
      await ask()
      setAddress(next())
      announce(say('saved'))
    })
  const keep = ([file]: File[]) => change(() => call('PUT', 'screenSaver/picture', file), newAddress)
  const remove = () =>
    change(
      () => call('POST', 'screenSaver/remove'),
      () => null,
    )
  const picture = address
    ? html`<img class="picture" alt=${say('screenSaverPicture')} src=${address} />`
    : html`<p class="empty">${say('noScreenSaver')}</p>`
  if (isOfServer) return html`<${Card} title=${say('screenSaverPicture')}>${picture}<${Note}>${say('rule.setByServer')}<//><//>`
  return html`
    <${Card} title=${say('screenSaverPicture')}>
      <${Note}>${say('screenSaverHint')}<//>
      ${picture}
      <${Trouble} words=${trouble} />
      <div class="actions">
        ${address && html`<${Button} inactive=${isBusy} onPress=${remove}>${say('remove')}<//>`}
        <${FileButton} id="saver" accept="image/png" look="primary" inactive=${isBusy} onFiles=${keep} />
      </div>
    <//>
  `
}

export const ScreenSaverPage = loadedPage(() => call<ScreenSaver>('GET', 'screenSaver'), ScreenSaverCards)
