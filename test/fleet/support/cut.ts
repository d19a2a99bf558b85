/** A TCP proxy whose connections can be cut: a network that fails, as the machines see it. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Cut { readonly port: number, cut(): void, mend(): void, close(): Promise<void> }

export async function startCut(target: number): Promise<Cut> {
  const open = new Set<Socket>()
  let down = false
  const server = createServer(near => {
    if (down) { near.destroy(); return }
    const far = connect(target, '127.0.0.1')
    for (const socket of [near, far]) {
      open.add(socket)
      socket.on('error', () => undefined)
      socket.on('close', () => { open.delete(socket); near.destroy(); far.destroy() })
    }
    near.pipe(far)
    far.pipe(near)
  })
  await new Promise<void>(resolve => { server.listen(0, '127.0.0.1', resolve) })
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => { down = true; for (const socket of open) socket.destroy() },
    mend: () => { down = false },
    close: () => new Promise(resolve => { for (const socket of open) socket.destroy(); server.close(() => { resolve() }) }),
  }
}
