/** /customerList. */
import { PersonList } from '../PersonList.tsx'

export default function CustomerListPage() {
  return <PersonList kind="customer" />
}
