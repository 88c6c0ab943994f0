/** /staffAdd. */
import { PersonAdd } from './PersonAdd.tsx'

export default function StaffAddPage() {
  return <PersonAdd kind="staff" />
}
