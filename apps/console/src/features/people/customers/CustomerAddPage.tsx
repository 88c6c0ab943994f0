/** /customerAdd. */
import { PersonAdd } from '../PersonAdd.tsx'

export default function CustomerAddPage() {
  return <PersonAdd kind="customer" />
}
