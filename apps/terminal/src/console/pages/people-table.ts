/** The people of one page of the list. */
import type { VNode } from 'preact'
import { Button } from './kit/button.ts'
import { html } from './kit/html.ts'
import type { Person } from './person-dialog.ts'
import { moment, say } from './words.ts'

interface PeopleTableProps {
  people: readonly Person[]
  /** Ids of the ticked people. */
  chosen: ReadonlySet<string>
  onChoose: (chosen: ReadonlySet<string>) => void
  onEdit: (person: Person) => void
}

export function PeopleTable({ people, chosen, onChoose, onEdit }: PeopleTableProps): VNode {
  const columns = [say('pictures'), say('name'), say('workNumber'), say('card'), say('validity'), say('actions')]
  const toggle = (id: string) => onChoose(new Set(chosen.has(id) ? [...chosen].filter((other) => other !== id) : [...chosen, id]))
  return html`
    <table>
      <thead>
        <tr>
          <td></td>
          ${columns.map((words) => html`<th key=${words} scope="col">${words}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${people.map(
          (person) =>
            html`<${PersonRow}
              key=${person.id}
              person=${person}
              isChosen=${chosen.has(person.id)}
              onToggle=${() => toggle(person.id)}
              onEdit=${() => onEdit(person)}
            />`,
        )}
      </tbody>
    </table>
  `
}

interface PersonRowProps {
  person: Person
  isChosen: boolean
  onToggle: () => void
  onEdit: () => void
}

function PersonRow({ person, isChosen, onToggle, onEdit }: PersonRowProps): VNode {
  const { name, workNumber, card, faces, recognisable } = person
  return html`
    <tr>
      <td><input type="checkbox" aria-label=${say('choose', { name })} checked=${isChosen} onChange=${onToggle} /></td>
      <td>
        ${faces[0] ? html`<img class="face" src="/console/api/pictures/${faces[0]}" alt="" />` : '–'}
        ${recognisable < faces.length && html`<span class="mark">${say('notRecognisable')}</span>`}
      </td>
      <th scope="row">${name}</th>
      <td>${workNumber}</td>
      <td>${card || '–'}</td>
      <td>${validityOf(person)}</td>
      <td><${Button} label=${say('editOf', { name })} onPress=${onEdit}>${say('edit')}<//></td>
    </tr>
  `
}

function validityOf({ validFrom, validTo }: Person): string {
  if (validFrom === null && validTo === null) return say('always')
  return `${validFrom === null ? '…' : moment(validFrom)} – ${validTo === null ? '…' : moment(validTo)}`
}
