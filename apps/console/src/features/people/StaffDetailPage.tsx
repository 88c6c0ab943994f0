/** /staffDetails/{id}. */
import { PersonDetail } from './PersonDetail.tsx'

export default function StaffDetailPage() {
  return <PersonDetail kind="staff" />
}
