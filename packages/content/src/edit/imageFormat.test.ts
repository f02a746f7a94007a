import { describe, expect, it } from 'vitest';
import { imageFormatOf } from './imageFormat.ts';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

/** A box of the ISO base media file format. */
function box(type: string, content: string | Buffer): Buffer {
  const bytes = typeof content === 'string' ? hex(content) : content;
  const size = Buffer.alloc(4);
  size.writeUInt32BE(8 + bytes.length);
  return Buffer.concat([size, Buffer.from(type), bytes]);
}

function avif(properties: Buffer[]): Buffer {
  const ipco = box('ipco', Buffer.concat(properties));
  const meta = Buffer.concat([hex('00000000'), box('hdlr', '00'), box('iprp', ipco)]);
  const ftyp = box('ftyp', Buffer.from('avif\0\0\0\0avifmif1').toString('hex'));
  return Buffer.concat([ftyp, box('meta', meta)]);
}

describe('imageFormatOf', () => {
  it.each([
    ['a PNG', hex('89504e470d0a1a0a 0000000d49484452 00000280 000001e0 0806000000'), 'image/png', 640, 480],
    ['a GIF', Buffer.concat([Buffer.from('GIF89a'), hex('0a00 1400 f70000')]), 'image/gif', 10, 20],
    [
      'a JPEG with segments before its frame',
      hex('ffd8 ffe0 0004 4a46 ffff c4 0004 0000 ffc2 0011 08 0064 00c8 03'),
      'image/jpeg',
      200,
      100,
    ],
    [
      'a lossy WebP',
      Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8 '), hex('00000000 000000 9d012a 2003 5802')]),
      'image/webp',
      800,
      600,
    ],
    [
      'a lossless WebP',
      Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8L'), hex('00000000 2f 1fc35700 0000000000')]),
      'image/webp',
      800,
      352,
    ],
    [
      'an extended WebP',
      Buffer.concat([Buffer.from('RIFF\0\0\0\0WEBPVP8X'), hex('0a000000 00000000 1f0300 570200')]),
      'image/webp',
      800,
      600,
    ],
    [
      'an AVIF, by the largest of its parts',
      avif([box('ispe', '00000000 00000140 000000f0'), box('ispe', '00000000 00001000 00000800')]),
      'image/avif',
      4096,
      2048,
    ],
    [
      'an AVIF sequence',
      Buffer.concat([
        box('ftyp', Buffer.from('avis\0\0\0\0').toString('hex')),
        box('moov', box('trak', box('tkhd', `${'00'.repeat(76)} 02800000 01e00000`))),
      ]),
      'image/avif',
      640,
      480,
    ],
    [
      'an SVG with lengths',
      Buffer.from('<?xml version="1.0"?><!-- x --><svg width="12.5px" height=\'4\' viewBox="0 0 1 1">'),
      'image/svg+xml',
      12.5,
      4,
    ],
    [
      'an SVG with a box',
      Buffer.from('\uFEFF<svg width="100%" viewBox="0,0, 24 16"/>'),
      'image/svg+xml',
      24,
      16,
    ],
  ])('reads %s', (_name, bytes, contentType, width, height) => {
    expect(imageFormatOf(bytes)).toEqual({ contentType, dimensions: { width, height } });
  });

  it('recognizes a type whose header is cut off or invalid', () => {
    expect(imageFormatOf(hex('89504e470d0a1a0a'))).toEqual({ contentType: 'image/png' });
    expect(imageFormatOf(hex('ffd8ffe0ffff'))).toEqual({ contentType: 'image/jpeg' });
    expect(imageFormatOf(hex('89504e470d0a1a0a 0000000d49484452 00000000 000001e0 08'))).toEqual({
      contentType: 'image/png',
    });
    expect(imageFormatOf(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg">'))).toEqual({
      contentType: 'image/svg+xml',
    });
    expect(imageFormatOf(Buffer.from('%PDF-1.7'))).toEqual({ contentType: 'application/pdf' });
  });

  it('recognizes nothing else as an image, and ends on every prefix of one', () => {
    for (const text of ['', 'hello', '<html><body>', '# <svg> in Markdown', 'RIFF\0\0\0\0WAVEfmt '])
      expect(imageFormatOf(Buffer.from(text))).toBeUndefined();
    const jpeg = hex('ffd8 ffe0 0004 4a46 ffff c4 0004 0000 ffc2 0011 08 0064 00c8 03');
    for (let length = 0; length <= jpeg.length; length += 1) imageFormatOf(jpeg.subarray(0, length));
    let nested = box('ipco', '');
    for (let depth = 0; depth < 12; depth += 1) nested = box('ipco', Buffer.concat([nested, nested]));
    expect(imageFormatOf(avif([nested]))).toEqual({ contentType: 'image/avif' });
    // A segment of length 0 could cause an endless loop.
    expect(imageFormatOf(hex('ffd8 ffe0 0000 ffe0 0000 ffe0 0000'))).toEqual({ contentType: 'image/jpeg' });
  });
});
