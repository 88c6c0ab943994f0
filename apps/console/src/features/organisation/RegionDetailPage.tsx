/** /regionDetail/{id}: one organisation on a page of its own. */
import { useNavigate, useParams } from 'react-router'
import { organisationCalls } from '@gatehouse/contract/organisation/calls'
import { DetailPage } from '../../kit/detail/DetailPage.tsx'
import { useRead } from '../../api/query.ts'
import { path } from '../../paths.ts'
import { Region } from './Region.tsx'

export default function RegionDetailPage() {
  const { id = '' } = useParams()
  const navigate = useNavigate()
  const tree = useRead(organisationCalls.tree, {})
  return (
    <DetailPage query={tree}>
      {(found) => (
        <Region
          key={id}
          id={id}
          tree={found}
          choose={(other) => void navigate(path('regionDetail', { id: other }))}
          onDeleted={() => void navigate(path('regionManage'))}
        />
      )}
    </DetailPage>
  )
}
