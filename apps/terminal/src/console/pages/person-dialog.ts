/** The form of one person registered here. */
import type { VNode } from 'preact'
import { call } from './api.ts'
import { instantOf, localMinute } from './browser-time.ts'
import { Dialog } from './kit/dialog.ts'
import { Field } from './kit/field.ts'
import { Form, useForm } from './kit/form.ts'
import { html } from './kit/html.ts'
import { announce } from './kit/notice.ts'
import { PicturesField } from './pictures-field.ts'
import { say } from './words.ts'

export interface Person {
  id: string
  name: string
  workNumber: string
  card: string
  hasPassword: boolean
  validFrom: number | null
  validTo: number | null
  /** Ids of pictures. */
  faces: string[]
  /** How many of them the engine can compare. */
  recognisable: number
}

interface PersonDialogProps {
  /** Null for a new person. */
  person: Person | null
  onClose: () => void
  onSaved: () => void
}

export function PersonDialog({ person, onClose, onSaved }: PersonDialogProps): VNode {
  const form = useForm({
    faces: (person?.faces ?? []) as readonly string[],
    name: person?.name ?? '',
    workNumber: person?.workNumber ?? '',
    card: person?.card ?? '',
    password: '',
    validFrom: localMinute(person?.validFrom ?? null),
    validTo: localMinute(person?.validTo ?? null),
  })
  const save = async () => {
    const { password, validFrom, validTo, ...values } = form.values
    const body = {
      ...values,
      ...((password !== '' || !person) && { password }),
      validFrom: instantOf(validFrom),
      validTo: instantOf(validTo),
    }
    await (person ? call('PUT', `people/${person.id}`, body) : call('POST', 'people', body))
    onClose()
    announce(say('saved'))
    onSaved()
  }
  return html`
    <${Dialog} title=${say(person ? 'editPerson' : 'addPerson')} isWide onClose=${onClose}>
      <${Form} form=${form} submitWords=${say('save')} onSubmit=${save} onCancel=${onClose}>
        <${PicturesField} name="faces" label=${say('pictures')} hint=${say('picturesHint')} />
        <${Field} name="name" label=${say('name')} maxlength="32" required autofocus />
        <${Field} name="workNumber" label=${say('workNumber')} maxlength="32" required />
        <${Field} name="card" label=${say('card')} maxlength="32" />
        <${Field}
          name="password"
          label=${say('passPassword')}
          hint=${say(person?.hasPassword ? 'passPasswordKept' : 'passPasswordHint')}
          type="password"
          maxlength="10"
          autocomplete="new-password"
        />
        <${Field} name="validFrom" label=${say('validFrom')} type="datetime-local" />
        <${Field} name="validTo" label=${say('validTo')} type="datetime-local" />
      <//>
    <//>
  `
}
