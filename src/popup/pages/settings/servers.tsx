import { RefreshCw } from 'lucide-react'
import { useState } from 'react'
import type { Network } from '../../../bitcoin/network.ts'
import { goBack, useRoute } from '../../platform/route.ts'
import { call } from '../../platform/rpc.ts'
import { words } from '../../platform/words.ts'
import type { PageProps } from '../../state/page-props.ts'
import { useQuery } from '../../state/use-query.ts'
import { IconButton } from '../../ui/button.tsx'
import { SelectField } from '../../ui/fields/field.tsx'
import { Notice } from '../../ui/notice.tsx'
import { BackButton, Screen, Title } from '../../ui/screen.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { NETWORK_NAMES } from '../../ui/text/names.ts'
import { ServerCard } from './server-card.tsx'
import './settings.css'

const NETWORKS: readonly Network[] = ['mainnet', 'testnet4', 'signet', 'regtest']

/**
 * Which servers each network is read from, and how those of the network in use are doing. Three more parts of the path
 * (network, kind, address) begin with that address in its field: the toolbar popup cannot ask for leave to reach a host.
 */
export function Servers({ state, onChanged }: PageProps) {
  const [, , inPath, kindInPath, urlInPath] = useRoute()
  const [network, setNetwork] = useState<Network>(
    NETWORKS.find(known => known === inPath) ?? state.network,
  )
  const servers = useQuery(() => call('getServers', { network }), network, ['servers'])
  const states = useQuery(() => call('getServerStates', null), state.network, ['servers'])
  const inUse = network === state.network
  return (
    <Screen
      head={
        <>
          <BackButton onBack={goBack} />
          <span className="push" />
          {inUse ? (
            <IconButton label={words('serversAskAgain')} onClick={states.retry}>
              <RefreshCw size={18} aria-hidden />
            </IconButton>
          ) : null}
        </>
      }
    >
      <Title>{words('serversTitle')}</Title>
      <SelectField
        label={words('networkTitle')}
        note={inUse ? undefined : words('serversOtherNetwork')}
        value={network}
        options={NETWORKS.map(value => ({ value, name: NETWORK_NAMES[value] }))}
        onChoose={setNetwork}
      />
      {servers.problem ? (
        <Notice tone="danger" live>
          {servers.problem}
        </Notice>
      ) : null}
      {servers.answer === null && servers.busy ? (
        <div className="stack" aria-busy="true">
          <Skeleton size="block" />
          <Skeleton size="block" />
        </div>
      ) : null}
      {servers.answer?.map(server => (
        <ServerCard
          key={`${network} ${server.kind}`}
          network={network}
          server={server}
          status={inUse ? (states.answer?.find(({ kind }) => kind === server.kind) ?? null) : null}
          asking={inUse && states.busy}
          typed={network === inPath && server.kind === kindInPath ? urlInPath : undefined}
          onChanged={async () => {
            servers.retry()
            states.retry()
            await onChanged()
          }}
        />
      ))}
    </Screen>
  )
}
