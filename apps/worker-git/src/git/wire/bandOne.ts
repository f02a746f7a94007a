import { type ByteWindow, endedEarly, notGit, readPacket, refusedByServer } from '@bindery/git-remote';

/** Yields the bytes of band 1, to the end of the answer. Band 2 is progress for people, band 3 an error. */
export async function* bandOne(window: ByteWindow): AsyncGenerator<Uint8Array> {
  for (;;) {
    const packet = await readPacket(window);
    if (packet === undefined || packet === 'delimiter') throw endedEarly();
    if (packet === 'flush') break;
    const band = packet[0];
    if (band === 1) yield packet.subarray(1);
    else if (band === 3) throw refusedByServer();
    else if (band !== 2) throw notGit();
  }
  // Reading to the end lets the connection be reused.
  if (await window.fill(1)) throw notGit();
}
