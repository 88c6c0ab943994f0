/** Fields of settings, shared by the pages that show some of them. */
import { call } from './api.ts'
import { choicesField, field, form, tell, type FieldWish } from './dom.ts'
import { say } from './words.ts'

export interface Shown {
  values: Readonly<Record<string, unknown>>
  sources: Readonly<Record<string, 'builtIn' | 'local' | 'server'>>
}

/** How a setting is shown and typed. */
export interface Setting extends Omit<FieldWish, 'label' | 'value' | 'locked'> {
  /** `number` and `numberChoice`: empty for null. `flag`: 0 or 1. `address`: a text, empty for null. `words` and `numbers`: several of the choices. */
  kind?: 'number' | 'flag' | 'text' | 'address' | 'choice' | 'numberChoice' | 'words' | 'numbers'
}

const textOf = (value: unknown): string => (value === null || value === undefined ? '' : String(value))

interface SettingField {
  name: string
  row: HTMLElement
  locked: boolean
  /** The value as it is set; of another type for each kind. */
  read(): unknown
}

/** A field with the value that holds; locked with its reason where the server sets it. */
function settingField(setting: Setting, shown: Shown): SettingField {
  const { kind, name } = setting
  if (kind !== 'words' && kind !== 'numbers') return singleField(setting, shown)
  const locked = shown.sources[name] === 'server' ? say('rule.setByServer') : null
  const { row, ticked } = choicesField({ ...setting, label: say(`setting.${name}`), locked }, (shown.values[name] as unknown[]).map(String))
  return { name, row, locked: locked !== null, read: () => (kind === 'numbers' ? ticked().map(Number) : ticked()) }
}

function singleField({ kind = 'text', ...wish }: Setting, { values, sources }: Shown): SettingField {
  const own = field({
    ...wish,
    label: say(`setting.${wish.name}`),
    type: wish.type ?? (kind === 'number' ? 'number' : 'text'),
    choices:
      kind === 'flag'
        ? [
            ['0', say('off')],
            ['1', say('on')],
          ]
        : wish.choices,
    value: textOf(values[wish.name]),
    locked: sources[wish.name] === 'server' ? say('rule.setByServer') : null,
  })
  const read = () => {
    const typed = own.input.value.trim()
    if (kind === 'text') return own.input.value
    if (kind === 'choice') return typed
    if (kind === 'address') return typed || null
    return typed === '' ? null : Number(typed)
  }
  return { name: own.name, row: own.row, locked: own.locked, read }
}

/**
 * A form of settings; only what changed is sent.
 * @param path of the call @param onSaved gets what holds now
 */
export function settingsForm(settings: readonly Setting[], shown: Shown, path: string, onSaved: () => void = () => {}): HTMLFormElement {
  const fields = settings.map((setting) => settingField(setting, shown))
  const saved = (one: SettingField) => JSON.stringify(one.read())
  const before = new Map(fields.map((one) => [one.name, saved(one)]))
  const own = form(
    fields.map(({ row }) => row),
    say('save'),
    async () => {
      const changed = fields.filter((one) => !one.locked && saved(one) !== before.get(one.name))
      await call('PUT', path, Object.fromEntries(changed.map((one) => [one.name, one.read()])))
      for (const one of changed) before.set(one.name, saved(one))
      tell(say('saved'))
      onSaved()
    },
  )
  if (fields.every(({ locked }) => locked)) own.querySelector('.actions')!.remove()
  return own
}
