"""Frames of PipeWire video streams, through libpipewire by ctypes.

A stream negotiates its format in *pods* (type, length, value). Its frames lie in a few buffers of
shared memory: the newest one is kept until the next has come, and only the requested part is
copied, so that an unread stream costs next to nothing. A buffer may also contain only the pointer's
position.

If all buffers have come at once, this process stood still, and the compositor had none for what
came later. Mutter never sends that again, and PipeWire gives the buffers back one with each new
frame, for which there is none. So the stream is connected again: it begins with a frame.

PipeWire calls back in a thread of its own. What a stream sends is checked before memory is read:
sizes, offsets and formats come from another process.

Why ctypes: the one binding with frames (pipewire-capture 0.3) has neither the pointer's position
nor the part of a buffer that a window fills. GStreamer is no faster and needs PyGObject.

Source: PipeWire 0.3 and 1.x: `pipewire/stream.h`, `spa/param/video/raw.h`, `spa/buffer/meta.h`.
"""

from __future__ import annotations

import atexit
import ctypes as c
import logging
import struct
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache, partial
from math import inf
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from bot.frame import Region
from vision.desktop.base import ScreenError

_log = logging.getLogger(__name__)

LIBRARY: Final = "libpipewire-0.3.so.0"


@dataclass(frozen=True)
class StreamLimits:
    """Limits of a stream; times in seconds."""

    frame_seconds: float = 10.0
    """Time to wait for a frame, if no other is given."""
    first_frame_seconds: tuple[float, float, float, float] = (1.0, 2.0, 4.0, 8.0)
    """Times to wait for a first frame. Mutter drops it if no buffer is ready, so a stream is
    connected again after each; they grow, as a busy computer may need longer."""
    fps: int = 60
    """Frames a second that are asked for."""
    longest_side: int = 16384
    """Longest side of an accepted frame, in pixels: no screen is larger."""
    buffer_bytes: int = 1 << 27
    """Size of a stream's buffers, in bytes. With 16 of them frames are dropped if this process
    stands still for a quarter of a second."""
    dropped_seconds: float = 0.1
    """Time without a frame, after frames may have been dropped, after which the newest is
    requested."""
    many: float = 0.75
    """Share of the buffers that come at once if frames may have been dropped: up to two of 16
    were on their way back."""
    repeat_seconds: float = 1.0
    """Time without a requested frame after which it is requested again: it may be dropped, too."""
    longest_pod: int = 1 << 16
    """Most bytes of a parameter that are copied."""


_STREAM: Final = StreamLimits()

_CONVERSIONS: Final = {
    7: cv2.COLOR_RGBA2BGR,
    8: cv2.COLOR_BGRA2BGR,
    11: cv2.COLOR_RGBA2BGR,
    12: cv2.COLOR_BGRA2BGR,
}
"""SPA_VIDEO_FORMAT_RGBx, BGRx, RGBA, BGRA: four bytes a pixel, as every compositor offers."""
_READABLE: Final = (1, 2)
"""Readable types of memory: SPA_DATA_MemPtr and SPA_DATA_MemFd, not a graphics card's memory."""
_HEADER_META, _CROP_META, _CURSOR_META = 1, 2, 5
_CURSOR_HEAD: Final = 48
"""Bytes of spa_meta_cursor and spa_meta_bitmap, before the pointer's picture."""
_CORRUPTED: Final = 1
_ERROR, _UNCONNECTED, _PAUSED = -1, 0, 2


class NoPipeWire(ScreenError):
    """The library or its server is missing, or sends no frame; the message says what to do."""


def _pod(kind: int, body: bytes) -> bytes:
    return struct.pack("=II", len(body), kind) + body + bytes(-len(body) % 8)


def _id(value: int) -> bytes:
    return _pod(3, struct.pack("=I", value))


def _int(value: int) -> bytes:
    return _pod(4, struct.pack("=i", value))


def _pair(kind: int, one: int, other: int) -> bytes:
    return _pod(kind, struct.pack("=II", one, other))


def _choice(kind: int, *pods: bytes) -> bytes:
    """Return a choice, the default first: 1 range, 3 one of several, 4 flags."""
    size, member = struct.unpack_from("=II", pods[0])
    values = b"".join(pod[8 : 8 + size] for pod in pods)
    return _pod(19, struct.pack("=IIII", kind, 0, size, member) + values)


def _object(kind: int, ident: int, properties: dict[int, bytes]) -> bytes:
    body = b"".join(struct.pack("=II", key, 0) + pod for key, pod in properties.items())
    return _pod(15, struct.pack("=II", kind, ident) + body)


def _offered_format() -> bytes:
    """Return the readable formats and sizes: video, raw, in shared memory."""
    side = _STREAM.longest_side
    formats = [_id(8), *map(_id, (8, 12, 7, 11))]
    sizes = [_pair(10, *size) for size in ((1280, 800), (1, 1), (side, side))]
    rates = [_pair(11, rate, 1) for rate in (_STREAM.fps, 0, _STREAM.fps)]
    return _object(
        0x40003,
        3,
        {
            1: _id(2),
            2: _id(1),
            0x20001: _choice(3, *formats),
            0x20003: _choice(1, *sizes),
            0x20004: _pair(11, 0, 1),
            0x20005: _choice(1, rates[0], rates[1], rates[2]),
        },
    )


def _buffer_params(width: int, height: int) -> list[bytes]:
    """Return the requirements for the buffers, and the metadata that they must contain."""
    memory = sum(1 << kind for kind in _READABLE)
    cursor = [_int(_CURSOR_HEAD + side * side * 4) for side in (64, 1, 1024)]
    metas = {
        _HEADER_META: _int(32),
        _CROP_META: _int(16),
        _CURSOR_META: _choice(1, *cursor),
    }
    many = min(max(4, _STREAM.buffer_bytes // (width * height * 4)), 16)
    buffers = {
        1: _choice(1, _int(many), _int(2), _int(16)),
        2: _int(1),
        3: _int(width * height * 4),
        4: _int(width * 4),
        6: _choice(4, _int(memory)),
    }
    return [
        _object(0x40004, 5, buffers),
        *(_object(0x40005, 6, {1: _id(kind), 2: size}) for kind, size in metas.items()),
    ]


def parse_object(pod: bytes) -> dict[int, bytes]:
    """Return the properties of an object pod: key -> value; a choice gives its default.

    Raises:
        ValueError: The pod is no well-formed object.
    """
    try:
        size, kind = struct.unpack_from("=II", pod)
        found: dict[int, bytes] = {}
        at, end = 16, 8 + size
        if kind != 15 or end > len(pod):
            raise ValueError(f"a pod of type {kind} and {size} bytes is no object")
        while at < end:
            key, _, length, member = struct.unpack_from("=IIII", pod, at)
            body = pod[at + 16 : min(at + 16 + length, end)]
            if member == 19:
                body = body[16 : 16 + struct.unpack_from("=I", body, 8)[0]]
            found[key] = body
            at += 16 + length + (-length % 8)
    except struct.error as error:
        raise ValueError(f"a pod ends too early: {error}") from error
    return found


class VideoFormat(NamedTuple):
    """The format of a stream's frames."""

    conversion: int
    """OpenCV's conversion to BGR."""
    width: int
    height: int

    @classmethod
    def parse(cls, pod: bytes) -> VideoFormat:
        """Return the format that a pod describes.

        Raises:
            ValueError: The format cannot be read; the message names it.
        """
        found = parse_object(pod)
        try:
            (number,) = struct.unpack("=I", found[0x20001])
            width, height = struct.unpack("=II", found[0x20003])
        except (KeyError, struct.error) as error:
            raise ValueError("the stream names no format or no size") from error
        if number not in _CONVERSIONS:
            raise ValueError(f"the stream has the unknown format {number}")
        if not (1 <= width <= _STREAM.longest_side and 1 <= height <= _STREAM.longest_side):
            raise ValueError(f"the stream has the size {width} x {height}")
        return cls(_CONVERSIONS[number], width, height)

    def fits(self, offset: int, stride: int, length: int) -> bool:
        """Return whether a frame at an offset, with the given bytes per row, lies in a buffer."""
        row = self.width * 4
        return row <= stride and offset + stride * (self.height - 1) + row <= length


class _Chunk(c.Structure):
    _fields_ = (
        ("offset", c.c_uint32),
        ("size", c.c_uint32),
        ("stride", c.c_int32),
        ("flags", c.c_int32),
    )


class _Data(c.Structure):
    _fields_ = (
        ("type", c.c_uint32),
        ("flags", c.c_uint32),
        ("fd", c.c_int64),
        ("mapoffset", c.c_uint32),
        ("maxsize", c.c_uint32),
        ("data", c.c_void_p),
        ("chunk", c.POINTER(_Chunk)),
    )


class _Meta(c.Structure):
    _fields_ = (("type", c.c_uint32), ("size", c.c_uint32), ("data", c.c_void_p))


class _SpaBuffer(c.Structure):
    _fields_ = (
        ("n_metas", c.c_uint32),
        ("n_datas", c.c_uint32),
        ("metas", c.POINTER(_Meta)),
        ("datas", c.POINTER(_Data)),
    )


class _Buffer(c.Structure):
    _fields_ = (("buffer", c.POINTER(_SpaBuffer)),)


_P: Final = c.c_void_p
_STATE: Final = c.CFUNCTYPE(None, _P, c.c_int, c.c_int, c.c_char_p)
_PARAM: Final = c.CFUNCTYPE(None, _P, c.c_uint32, _P)
_BUFFER: Final = c.CFUNCTYPE(None, _P, _P)
_PROCESS: Final = c.CFUNCTYPE(None, _P)


class _Events(c.Structure):
    _fields_ = (
        ("version", c.c_uint32),
        ("destroy", _P),
        ("state_changed", _STATE),
        ("control_info", _P),
        ("io_changed", _P),
        ("param_changed", _PARAM),
        ("add_buffer", _BUFFER),
        ("remove_buffer", _BUFFER),
        ("process", _PROCESS),
        ("drained", _P),
        ("command", _P),
        ("trigger_done", _P),
    )


_FUNCTIONS: Final[dict[str, tuple[Any, ...]]] = {
    "pw_init": (None, _P, _P),
    "pw_thread_loop_new": (_P, c.c_char_p, _P),
    "pw_thread_loop_get_loop": (_P, _P),
    "pw_thread_loop_start": (c.c_int, _P),
    "pw_thread_loop_stop": (None, _P),
    "pw_thread_loop_lock": (None, _P),
    "pw_thread_loop_unlock": (None, _P),
    "pw_thread_loop_destroy": (None, _P),
    "pw_context_new": (_P, _P, _P, c.c_size_t),
    "pw_context_destroy": (None, _P),
    "pw_context_connect_fd": (_P, _P, c.c_int, _P, c.c_size_t),
    "pw_core_disconnect": (c.c_int, _P),
    "pw_properties_new_string": (_P, c.c_char_p),
    "pw_stream_new": (_P, _P, c.c_char_p, _P),
    "pw_stream_destroy": (None, _P),
    "pw_stream_add_listener": (None, _P, _P, _P, _P),
    "pw_stream_connect": (c.c_int, _P, c.c_int, c.c_uint32, c.c_int, _P, c.c_uint32),
    "pw_stream_update_params": (c.c_int, _P, _P, c.c_uint32),
    "pw_stream_disconnect": (c.c_int, _P),
    "pw_stream_dequeue_buffer": (_P, _P),
    "pw_stream_queue_buffer": (c.c_int, _P, _P),
}
"""The result type and the argument types of each function used."""


@cache
def library() -> Any:
    """Return libpipewire.

    Raises:
        NoPipeWire: The library is not installed.
    """
    try:
        loaded = c.CDLL(LIBRARY)
    except OSError as error:
        raise NoPipeWire(
            f"{LIBRARY} is missing: install it (Debian: libpipewire-0.3-0, Fedora: pipewire-libs, "
            "Arch: libpipewire)"
        ) from error
    for name, (result, *arguments) in _FUNCTIONS.items():
        function = getattr(loaded, name)
        function.restype, function.argtypes = result, arguments
    loaded.pw_init(None, None)
    return loaded


class _Pods:
    """Pods in the memory from which a call of libpipewire reads them."""

    def __init__(self, pods: Sequence[bytes]) -> None:
        self._kept = [c.create_string_buffer(pod, len(pod)) for pod in pods]
        self.array = (_P * len(pods))(*(c.cast(one, _P).value for one in self._kept))
        self.count = len(pods)


class Frames:
    """The frames of some streams of one connection.

    Args:
        descriptor: The connection's descriptor; closed with the frames.
        nodes: The node numbers of the streams.
        pointer_moved: Called in PipeWire's thread with the index of a stream and the pointer's
            pixel in it, for each report; None if the pointer is outside.

    Raises:
        NoPipeWire: The connection fails, or no frame comes.
    """

    def __init__(
        self,
        descriptor: int,
        nodes: Sequence[int],
        pointer_moved: Callable[[int, tuple[int, int] | None], None],
    ) -> None:
        self._pipewire = library()
        self._loop = self._pipewire.pw_thread_loop_new(b"frames", None)
        loop = self._pipewire.pw_thread_loop_get_loop(self._loop)
        self._context = self._pipewire.pw_context_new(loop, None, 0)
        self._core = self._pipewire.pw_context_connect_fd(self._context, descriptor, None, 0)
        self.streams: list[Stream] = []
        if not self._core:
            self.close()
            raise NoPipeWire("PipeWire does not answer: is its service running?")
        with ExitStack() as undo:
            undo.callback(self.close)
            for index, node in enumerate(nodes):
                self.streams.append(Stream(self._core, node, partial(pointer_moved, index)))
            self._pipewire.pw_thread_loop_start(self._loop)
            # Its thread must not call into an interpreter that has ended.
            atexit.register(self.close)
            for stream in self.streams:
                self._await_first_frame(stream)
            undo.pop_all()

    def _await_first_frame(self, stream: Stream) -> None:
        *waits, last = _STREAM.first_frame_seconds
        for seconds in waits:
            try:
                stream.wait_for_frame(seconds=seconds)
            except NoPipeWire:
                self._reconnect(stream)
            else:
                return
        stream.wait_for_frame(seconds=last)

    def request_dropped(self) -> None:
        """Request the newest frame of each stream that may have dropped it. Does not wait."""
        for stream in self.streams:
            if stream.is_outdated():
                _log.info("Frames were dropped: the stream is connected again")
                self._reconnect(stream)

    def _reconnect(self, stream: Stream) -> None:
        self._pipewire.pw_thread_loop_lock(self._loop)
        try:
            stream.reconnect()
        finally:
            self._pipewire.pw_thread_loop_unlock(self._loop)

    @property
    def ended(self) -> bool:
        """Whether a stream has ended: its window was closed, or its monitor or desktop is gone."""
        return any(stream.error is not None for stream in self.streams)

    def close(self) -> None:
        """End the streams."""
        atexit.unregister(self.close)
        if self._loop is None:
            return
        pipewire = self._pipewire
        pipewire.pw_thread_loop_stop(self._loop)
        for stream in self.streams:
            stream.destroy()
        if self._core:
            pipewire.pw_core_disconnect(self._core)
        pipewire.pw_context_destroy(self._context)
        pipewire.pw_thread_loop_destroy(self._loop)
        self._loop = None


class Stream:
    """The newest frame of one stream.

    Args:
        core: The connection.
        node: The stream's number.
        pointer_moved: Called with the pointer's pixel in the stream; None if the pointer is
            outside.
    """

    def __init__(
        self, core: Any, node: int, pointer_moved: Callable[[tuple[int, int] | None], None]
    ) -> None:
        self._pipewire = library()
        self._node = node
        self._pointer_moved = pointer_moved
        self._news = threading.Condition()
        self._format: VideoFormat | None = None
        self._held: int | None = None
        """The buffer of the newest frame."""
        self._pixels: NDArray[np.uint8] | None = None
        """The newest frame: (rows, columns, 4)."""
        self._conversion = 0
        self._crop = Region(0, 0, 0, 0)
        self.error: str | None = None
        """The reason why the stream has ended; None if it has not."""
        self.frames = 0
        """Frames received so far."""
        self._buffers = 0
        """Number of buffers that the stream has."""
        self._request_at = inf
        """Time when the newest frame is requested, if none has come by then (monotonic clock)."""
        self._reconnecting = False
        properties = b"media.type=Video media.category=Capture media.role=Screen"
        self._stream: Any = self._pipewire.pw_stream_new(
            core, b"minesweeper-bot", self._pipewire.pw_properties_new_string(properties)
        )
        self._events = _Events(
            state_changed=_STATE(self._note_state),
            param_changed=_PARAM(self._note_param),
            add_buffer=_BUFFER(self._note_addition),
            remove_buffer=_BUFFER(self._note_removal),
            process=_PROCESS(self._process),
        )
        self._hook = c.create_string_buffer(64)
        events = c.cast(c.byref(self._events), _P)
        self._pipewire.pw_stream_add_listener(self._stream, self._hook, events, None)
        self._connect()

    def _connect(self) -> None:
        pods = _Pods([_offered_format()])
        # Direction input; PW_STREAM_FLAG_AUTOCONNECT and PW_STREAM_FLAG_MAP_BUFFERS.
        flags = 1 | 4
        self._pipewire.pw_stream_connect(self._stream, 0, self._node, flags, pods.array, pods.count)

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the shared area, in pixels; a buffer may be larger."""
        return self._crop.width, self._crop.height

    @property
    def room(self) -> int:
        """The greatest width that a frame may have, in pixels, as a window's width may change."""
        return self._format.width if self._format else 0

    def wait_for_frame(self, after: int = 0, seconds: float = _STREAM.frame_seconds) -> None:
        """Wait until more frames have come than the given number.

        Raises:
            NoPipeWire: No frame comes.
        """
        with self._news:
            self._news.wait_for(lambda: self.frames > after or self.error is not None, seconds)
            if self.frames <= after:
                why = self.error or f"no frame came in {seconds:g} s"
                raise NoPipeWire(
                    f"the desktop sends no picture ({why}): share the screen again. If that does "
                    "not help, play the game on a private screen"
                )

    def copy(self, part: Region) -> NDArray[np.uint8] | None:
        """Return a part of the newest frame as (rows, columns, 3) BGR; None if it is outside."""
        with self._news:
            whole = Region(0, 0, *self.size)
            if self._pixels is None or whole.intersection(part) != part:
                return None
            left, top = self._crop.left + part.left, self._crop.top + part.top
            seen = self._pixels[top : top + part.height, left : left + part.width]
            return cv2.cvtColor(seen, self._conversion).astype(np.uint8, copy=False)

    def is_outdated(self) -> bool:
        """Return whether the newest frame is to be requested now."""
        with self._news:
            now = time.perf_counter()
            if now < self._request_at or self.error is not None:
                return False
            self._request_at = now + _STREAM.repeat_seconds
            return True

    def reconnect(self) -> None:
        """Begin again, with a frame; the caller holds the lock of PipeWire's loop."""
        with self._news:
            held, self._held = self._held, None
            self._pixels = None if self._pixels is None else self._pixels.copy()
        if held is not None:
            # Mutter does not use it again otherwise.
            self._pipewire.pw_stream_queue_buffer(self._stream, held)
        self._reconnecting = True
        self._pipewire.pw_stream_disconnect(self._stream)
        self._reconnecting = False
        self._connect()

    def destroy(self) -> None:
        """Free the stream; PipeWire's thread has ended, but `copy` may still be called."""
        self._fail("the stream was closed")
        with self._news:
            self._pixels = self._held = None
        self._pipewire.pw_stream_destroy(self._stream)

    def _fail(self, why: str) -> None:
        with self._news:
            self.error = self.error or why
            self._news.notify_all()

    def _note_state(self, _data: Any, old: int, new: int, error: bytes | None) -> None:
        if new == _ERROR:
            self._fail((error or b"an unnamed error").decode("utf-8", "replace"))
        elif new == _UNCONNECTED and old >= _PAUSED and not self._reconnecting:
            self._fail("the stream has ended")

    def _note_param(self, _data: Any, ident: int, pod: int | None) -> None:
        if ident != 4 or not pod:
            return
        size = min(c.cast(pod, c.POINTER(c.c_uint32))[0] + 8, _STREAM.longest_pod)
        try:
            made = VideoFormat.parse(c.string_at(pod, size))
        except ValueError as error:
            self._fail(str(error))
            return
        self._format = made
        pods = _Pods(_buffer_params(made.width, made.height))
        self._pipewire.pw_stream_update_params(self._stream, pods.array, pods.count)

    def _note_addition(self, _data: Any, _buffer: int | None) -> None:
        self._buffers += 1

    def _note_removal(self, _data: Any, buffer: int | None) -> None:
        with self._news:
            self._buffers -= 1
            if buffer == self._held and self._pixels is not None:
                self._pixels, self._held = self._pixels.copy(), None

    def _process(self, _data: Any) -> None:
        came = int(self._held is not None)
        while buffer := self._pipewire.pw_stream_dequeue_buffer(self._stream):
            shared = c.cast(buffer, c.POINTER(_Buffer))[0].buffer[0]
            metas = {one.type: one for one in shared.metas[: shared.n_metas] if one.data}
            if (cursor := metas.get(_CURSOR_META)) is not None and cursor.size >= _CURSOR_HEAD:
                ident, _, x, y = struct.unpack("=IIii", c.string_at(cursor.data, 16))
                self._pointer_moved((x, y) if ident else None)
            if not self._take(shared, metas, buffer):
                self._pipewire.pw_stream_queue_buffer(self._stream, buffer)
            came += 1
        if came >= _STREAM.many * self._buffers:
            with self._news:
                self._request_at = time.perf_counter() + _STREAM.dropped_seconds

    def _take(self, shared: _SpaBuffer, metas: dict[int, _Meta], buffer: int) -> bool:
        """Make a buffer's picture the newest frame and return the previous buffer.

        Returns:
            Whether it has a picture: its size is 0 if only the pointer has moved.
        """
        made = self._format
        data = shared.datas[0] if shared.n_datas else None
        if made is None or data is None or not data.data or not data.chunk:
            return False
        chunk = data.chunk[0]
        if chunk.size == 0 or chunk.flags & _CORRUPTED or data.type not in _READABLE:
            return False
        stride = chunk.stride or made.width * 4
        if not made.fits(chunk.offset, stride, data.maxsize):
            self._fail(f"a frame of {made.width} x {made.height} is larger than its buffer")
            return False
        memory = (c.c_ubyte * data.maxsize).from_address(data.data)
        pixels: NDArray[np.uint8] = np.ndarray(
            (made.height, made.width, 4), np.uint8, memory, chunk.offset, (stride, 4, 1)
        )
        crop = Region(0, 0, made.width, made.height)
        if (meta := metas.get(_CROP_META)) is not None and meta.size >= 16:
            visible = Region(*struct.unpack("=iiII", c.string_at(meta.data, 16)))
            crop = crop.intersection(visible) or crop
        with self._news:
            held, self._held = self._held, buffer
            self._pixels, self._conversion, self._crop = pixels, made.conversion, crop
            self.frames += 1
            self._request_at = inf
            self._news.notify_all()
        if held is not None:
            self._pipewire.pw_stream_queue_buffer(self._stream, held)
        return True
