/** `npm run prove:fleet -- [--events N] [--machines N] [--seed N] [--fail-every MS] [--failures N]` */
import { parseArgs } from 'node:util'
import { runProof } from './proof.ts'

export async function main(argv: readonly string[]): Promise<number> {
  const { values } = parseArgs({ args: [...argv], options: { 'events': { type: 'string', default: '20000' }, 'machines': { type: 'string', default: '4' }, 'seed': { type: 'string', default: '1' }, 'fail-every': { type: 'string', default: '8000' }, 'failures': { type: 'string', default: '40' }, 'json': { type: 'boolean', default: false } } })
  const proof = await runProof({
    events: Number(values.events), machines: Number(values.machines), seed: Number(values.seed), doubles: 0.2, failEvery: Number(values['fail-every']), mostFailures: Number(values.failures),
    onProgress: (published, waiting, failures) => { process.stderr.write(`\rpublished ${published}, waiting ${waiting < 0 ? '?' : waiting}, failures ${failures}      `) },
  })
  process.stderr.write('\n')
  process.stdout.write(`${JSON.stringify({ ...proof, seed: Number(values.seed) }, null, 2)}\n`)
  const { faults, verdict } = proof
  return Object.values(faults).every(count => count === 0) && verdict.kind === 'ok' && proof.inFlight === 0 ? 0 : 1
}
